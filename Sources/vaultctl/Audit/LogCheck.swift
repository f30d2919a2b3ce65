import CommandLineOptions
import Glibc
import VaultAPI
import VaultCore
import WireCoding

/// The check of a copy of the audit log, without a daemon and without a secret.
enum LogCheck {
  /// Checks what a command line names.
  ///
  /// - Returns: what the log holds, and its first fault.
  /// - Throws: ``CommandFailure`` when something cannot be read.
  static func run(_ context: CallContext) throws(CommandFailure) -> CommandOutput {
    let path = context.line.argument(0) ?? "."
    let key = try context.line[Options.key].map(key)
    let checkpoint = try context.line[Options.checkpoint].map(checkpoint)
    if let key, let checkpoint, checkpoint.key != key {
      throw CommandFailure(.badData, "the checkpoint is not signed with the key given")
    }
    let (verdict, folder) = try verdict(
      of: path, key: key, checkpoint: checkpoint, isQuiet: context.line[Options.json])
    return LogCheckView.output(verdict, folder, isVouched: key != nil || checkpoint != nil)
  }

  /// Checks a log.
  ///
  /// - Returns: what was found, and where.
  static func verdict(
    of path: String, key: [UInt8]?, checkpoint: AuditCheckpoint? = nil, isQuiet: Bool
  ) throws(CommandFailure) -> (AuditVerdict, LogFolder) {
    let folder = try reading(path) { () throws(LogTextError) in try LogFolder(path) }
    guard !folder.files.isEmpty else {
      throw CommandFailure(
        .noInput, "\(path) has no file of an audit log",
        hint: "name the directory of the segments, audit in a data directory")
    }
    var line = ProgressLine("checking", isQuiet: isQuiet)
    let verifier = AuditVerifier(folder, key: key, checkpoint: checkpoint)
    let verdict = try reading(path) { () throws(LogTextError) in
      try verifier.run { done, total in line.show(done, of: total) }
    }
    line.end()
    return (verdict, folder)
  }

  private static func reading<Value>(
    _ path: String, _ body: () throws(LogTextError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(LogTextError) {
      return try body()
    } catch {
      let words =
        error.code == EINVAL
        ? "is not a regular file" : "cannot be read: \(systemMessage(error.code))"
      throw CommandFailure(
        .noInput, "\(error.file) \(words)",
        hint: error.file == path
          ? "name the directory of the segments, audit in a data directory" : nil)
    }
  }

  /// A fault on one line.
  static func words(_ fault: AuditFault) -> String {
    let since = fault.since.map { ", somewhere from \($0.file):\($0.line) on" } ?? ""
    return "\(fault.place.file):\(fault.place.line): \(fault.kind.rawValue)\(since): \(fault.words)"
  }

  /// The key that an option names by its digits or by a file that holds them.
  private static func key(_ source: String) throws(CommandFailure) -> [UInt8] {
    if let octets = digits(source) { return octets }
    let octets = try FileInput.read(source, limit: 1024)
    let text = String(decoding: octets, as: UTF8.self)
    guard let key = digits(text.split(whereSeparator: \.isWhitespace).joined()) else {
      throw CommandFailure(
        .badData, "\(FileInput.name(of: source)) is not a key of 64 hexadecimal digits",
        hint: "`vaultctl audit checkpoint` and `vaultctl status` show it")
    }
    return key
  }

  private static func digits(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 64 else { return nil }
    return try? Hex.decode(text, acceptingUpperCase: true)
  }

  /// The checkpoint that a file holds; its signature is checked, and whose it is remains to be seen.
  private static func checkpoint(_ source: String) throws(CommandFailure) -> AuditCheckpoint {
    let octets = try FileInput.read(source, limit: VaultLimits.checkpointOctets + 1)
    let line = octets.last == UInt8(ascii: "\n") ? octets.dropLast() : octets[...]
    guard let checkpoint = AuditCheckpoint(line: Array(line)), checkpoint.isSigned else {
      throw CommandFailure(.badData, "\(FileInput.name(of: source)) is not a signed checkpoint")
    }
    return checkpoint
  }
}
