import Glibc
import SecureMemory

/// Asks for one line on the controlling terminal, without echo.
///
/// The terminal is put back before a signal takes effect, so that neither Ctrl-C nor Ctrl-Z leaves
/// it silent. What was typed goes from the kernel into guarded memory.
enum TerminalPrompt {
  /// Asks.
  ///
  /// - Parameters:
  ///   - prompt: what to write before.
  ///   - capacity: the most octets to take of the line, its end included.
  ///   - what: what is asked for.
  ///   - hint: what to do without a terminal.
  /// - Returns: the line with its line feed, or its first `capacity` octets.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput`` without a terminal.
  static func ask(
    _ prompt: String, capacity: Int, for what: String = "the passphrase",
    hint: String = "use --passphrase-stdin or --passphrase-fd"
  ) throws(CommandFailure) -> SecretBytes {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      throw CommandFailure(
        .noInput, "there is no terminal to ask for \(what)", hint: hint)
    }
    defer { close(terminal) }
    while true {
      let signals = try SignalWatch()
      let outcome = try line(terminal, prompt, capacity, signals)
      switch consume outcome {
      case .line(let line): return line
      case .signal(let number):
        signals.stop()
        // The usual effect: the process ends here, or is stopped and asks again when it goes on.
        raise(number)
      }
    }
  }

  private enum Outcome: ~Copyable {
    case line(SecretBytes)
    case signal(Int32)
  }

  private static func line(
    _ terminal: Int32, _ prompt: String, _ capacity: Int, _ signals: borrowing SignalWatch
  ) throws(CommandFailure) -> Outcome {
    let echo = try TerminalEcho(off: terminal)
    defer {
      echo.restore()
      // The line's end was not echoed either.
      try? StandardStream.write([UInt8(ascii: "\n")], to: terminal)
    }
    try StandardStream.write(Array(prompt.utf8), to: terminal)
    var buffer = try GuardedRead.allocate(capacity)
    var count = 0
    while count < capacity {
      if let number = try signals.wait(for: terminal) { return .signal(number) }
      let got = try GuardedRead.once(terminal, into: &buffer, at: count, named: "the terminal")
      guard got > 0 else { break }
      count += got
      let isEnd = buffer.withBytes { $0[count - 1] == UInt8(ascii: "\n") }
      if isEnd { break }
    }
    return .line(try GuardedRead.first(count, of: buffer))
  }
}
