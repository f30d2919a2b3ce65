import Glibc
import SecureMemory
import VaultAPI
import WireCoding

/// Reads the pair of a Nokē lock straight into guarded memory: from a file, or from the terminal.
struct NokePairInput {
  /// The offline key, 16 octets.
  let offlineKey: SecretBox
  /// The unlock command, 20 octets.
  let unlockCommand: SecretBox

  private static let keyOctets = 16
  private static let commandOctets = 20
  /// More than the digits of both need, with what may stand around them.
  private static let capacity = 256

  /// Reads a pair.
  ///
  /// - Parameter path: a file with the digits of the offline key and then those of the unlock command,
  ///   with blanks or line ends around them; `-` is standard input. Without one, or when standard
  ///   input is a terminal, the terminal is asked.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``, or ``ExitCode/badData`` when it is something
  ///   else.
  init(_ path: String?) throws(CommandFailure) {
    guard let path, path != "-" || isatty(STDIN_FILENO) != 1 else {
      offlineKey = try Self.ask("Offline key: ", octets: Self.keyOctets)
      unlockCommand = try Self.ask("Unlock command: ", octets: Self.commandOctets)
      return
    }
    let name = FileInput.name(of: path)
    let descriptor = path == "-" ? STDIN_FILENO : try FileInput.open(path, isSecret: true)
    defer { if path != "-" { close(descriptor) } }
    let text = try GuardedRead.all(descriptor, capacity: Self.capacity, named: name)
    (offlineKey, unlockCommand) = try text.withBytes { bytes throws(CommandFailure) in
      let words = Self.words(bytes)
      guard words.count == 2 else {
        throw CommandFailure(
          .badData, "\(name) does not hold two words: the offline key and the unlock command")
      }
      return (
        try Self.secret(bytes.extracting(words[0]), Self.keyOctets, "the offline key"),
        try Self.secret(bytes.extracting(words[1]), Self.commandOctets, "the unlock command")
      )
    }
  }

  private static func ask(_ prompt: String, octets: Int) throws(CommandFailure) -> SecretBox {
    let line = try TerminalPrompt.ask(
      prompt, capacity: capacity, for: "the pair", hint: "give a FILE, or - for standard input")
    return try line.withBytes { bytes throws(CommandFailure) in
      guard let word = words(bytes).first, words(bytes).count == 1 else {
        throw CommandFailure(.badData, "this is not one word of \(2 * octets) hexadecimal digits")
      }
      return try secret(bytes.extracting(word), octets, "what was typed")
    }
  }

  /// Where words stand that blanks or line ends part.
  private static func words(_ text: Span<UInt8>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in text.indices {
      let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(text[index])
      if isBlank, let first = start {
        words.append(first..<index)
        start = nil
      } else if !isBlank, start == nil {
        start = index
      }
    }
    if let start { words.append(start..<text.count) }
    return words
  }

  private static func secret(
    _ digits: Span<UInt8>, _ octets: Int, _ what: String
  ) throws(CommandFailure) -> SecretBox {
    let fault = CommandFailure(.badData, "\(what) must be \(2 * octets) hexadecimal digits")
    guard digits.count == 2 * octets else { throw fault }
    do throws(WireCodingError) {
      return SecretBox(try Hex.decodeSecret(digits, acceptingUpperCase: true))
    } catch {
      guard case .secretMemory(let reason) = error else { throw fault }
      throw CommandFailure(reason)
    }
  }
}
