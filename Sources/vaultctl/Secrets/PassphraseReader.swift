import Glibc
import SecureMemory
import VaultAPI

/// Reads passphrases straight into guarded memory and checks what the vault asks of them.
enum PassphraseReader {
  /// One octet more than a passphrase may have and one for the line's end: enough to see that it is
  /// too long.
  static let capacity = VaultLimits.passphraseOctets + 2

  /// Asks on the terminal.
  static func ask(_ prompt: String) throws(CommandFailure) -> SecretBytes {
    try checked(try TerminalPrompt.ask(prompt, capacity: capacity))
  }

  /// Asks on the terminal for a new one, twice.
  static func askTwice() throws(CommandFailure) -> SecretBytes {
    let first = try ask("New passphrase: ")
    let second = try ask("The same again: ")
    guard first.isEqual(to: second) else {
      throw CommandFailure(.badData, "the two passphrases differ", hint: "start again")
    }
    return first
  }

  /// Reads from a descriptor to its end; a terminal is asked, without echo.
  static func read(_ descriptor: Int32, _ prompt: String) throws(CommandFailure) -> SecretBytes {
    if isatty(descriptor) == 1 { return try ask(prompt) }
    let name = descriptor == STDIN_FILENO ? "standard input" : "descriptor \(descriptor)"
    return try checked(try GuardedRead.all(descriptor, capacity: capacity, named: name))
  }

  /// Cuts one line feed at the end, and refuses what is no passphrase.
  static func checked(_ line: consuming SecretBytes) throws(CommandFailure) -> SecretBytes {
    let count = try line.withBytes { bytes throws(CommandFailure) in
      let isEnded = bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
      let text = bytes.extracting(0..<(isEnded ? bytes.count - 1 : bytes.count))
      try check(text)
      return text.count
    }
    return try GuardedRead.first(count, of: line)
  }

  private static func check(_ text: Span<UInt8>) throws(CommandFailure) {
    guard text.count > 0 else { throw CommandFailure(.badData, "the passphrase is empty") }
    guard text.count <= VaultLimits.passphraseOctets else {
      throw CommandFailure(
        .badData, "the passphrase has more than \(VaultLimits.passphraseOctets) bytes")
    }
    // It travels as a JSON string, which holds UTF-8 and no U+0000; a second line could never be
    // typed at the prompt.
    for index in text.indices where text[index] == 0 || text[index] == UInt8(ascii: "\n") {
      throw CommandFailure(.badData, "the passphrase has more than one line or a zero byte")
    }
    guard (try? UTF8Span(validating: text)) != nil else {
      throw CommandFailure(.badData, "the passphrase is not UTF-8")
    }
  }
}
