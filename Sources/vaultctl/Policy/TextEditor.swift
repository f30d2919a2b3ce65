import Glibc

/// The editor of whoever runs the command.
enum TextEditor {
  /// Lets a person edit a file, and waits until the editor is closed.
  ///
  /// - Parameter path: the file.
  /// - Throws: ``CommandFailure`` when it cannot be started, or says that it failed.
  static func edit(_ path: String) throws(CommandFailure) {
    let editor =
      [Environment.variable("VISUAL"), Environment.variable("EDITOR")].compactMap { $0 }
      .first { !$0.isEmpty } ?? "vi"
    // What this process ignores, an editor and the programs it starts would ignore as well.
    let numbers = [SIGPIPE, SIGXFSZ]
    let former = numbers.map { signal($0, SIG_DFL) }
    // A word with options is usual, so a shell takes it apart.
    let status = unsafe system("\(editor) \(ShellWord.quote(path))")
    for (number, handler) in zip(numbers, former) { signal(number, handler) }
    guard status != 0 else { return }
    // As wait(2) tells: the low octet is a signal, the next one the exit status.
    guard status & 0x7F == 0, status >= 0 else {
      throw CommandFailure(.failure, "the editor was ended, or could not be started")
    }
    throw CommandFailure(
      .failure, "the editor \(editor) ended with \((status >> 8) & 0xFF)",
      hint: "set VISUAL or EDITOR to the command of an editor")
  }
}
