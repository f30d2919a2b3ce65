import CommandLineOptions
import Glibc
import VaultAPI
import VaultCore
import WireCoding

/// Puts the closed segments of the audit log away: copies them, checks the copy, and only then has the
/// vault remove them.
struct LogArchive: Sendable {
  let context: CallContext
  let directory: String
  /// The last line that may be put away, `nil` for all that stands in closed segments.
  let through: Int64?

  /// Archives.
  ///
  /// - Returns: what was put away.
  /// - Throws: ``CommandFailure``. The vault has removed nothing then, unless it is the vault's own
  ///   answer that something failed while it removed segment after segment; another archive into the
  ///   same directory then goes on.
  func run() throws(CommandFailure) -> CommandOutput {
    guard
      let key = try context.call(.status)["audit"]?["key"]?.text.flatMap({ try? Hex.decode($0) })
    else { throw CommandFailure(.unavailable, "the vault does not tell its checkpoint key") }
    guard unsafe mkdir(directory, 0o750) == 0 || errno == EEXIST else {
      throw StagedFile.failure(directory, errno)
    }
    let (last, segments) = try copy()
    guard let last else {
      return CommandOutput(
        json: Self.result(0, nil, nil), notes: ["there is no closed segment to put away"])
    }
    try check(key, upTo: last)
    let answer = try context.call(
      .auditArchive(AuditArchiveParams(through: last.sequence, head: last.head)))
    return CommandOutput(
      json: Self.result(segments, last.sequence, answer["seq"]?.number),
      blocks: [
        .text([
          "\(segments) \(segments == 1 ? "segment" : "segments"), up to line \(last.sequence), "
            + "now in \(directory) and no longer in the vault"
        ])
      ])
  }

  private static func result(
    _ segments: Int64, _ through: Int64?, _ sequence: Int64?
  ) -> JSONValue {
    var members = [JSONMember(name: "archived", value: .integer(segments))]
    if let through { members.append(JSONMember(name: "through", value: .integer(through))) }
    if let sequence { members.append(JSONMember(name: "seq", value: .integer(sequence))) }
    return .object(members)
  }

  /// Copies the segments that the vault no longer writes to.
  ///
  /// - Returns: the checkpoint that the last one ends with, and how many there are.
  private func copy() throws(CommandFailure) -> (last: AuditCheckpoint?, segments: Int64) {
    var download = try LogDownload(context)
    var progress = ProgressLine("copying", isQuiet: context.line[Options.json])
    var (octets, segments): (Int64, Int64) = (0, 0)
    var last: AuditCheckpoint?
    var file: ArchivedFile?
    while let part = try download.next(), !part.isNewest || part.segment == 0 {
      if part.isFirst {
        file = try ArchivedFile("\(directory)/\(part.name)", growsOn: part.segment == 0)
      }
      try file?.write(part.octets)
      octets += Int64(part.octets.count)
      progress.show(octets)
      guard part.isLast else { continue }
      if part.segment > 0 {
        // What an earlier release has closed has no checkpoint at its end, and has to stay.
        guard let closing = file?.closing, closing.sequence <= through ?? .max else { break }
        last = closing
        segments += 1
      }
      try file?.finish()
    }
    return (last, segments)
  }

  /// Checks the copy as anybody with the public key can.
  private func check(_ key: [UInt8], upTo last: AuditCheckpoint) throws(CommandFailure) {
    let (verdict, _) = try LogCheck.verdict(
      of: directory, key: key, isQuiet: context.line[Options.json])
    if let fault = verdict.fault {
      throw CommandFailure(
        .damaged, "the copy in \(directory) is not whole: \(LogCheck.words(fault))",
        hint: "nothing was removed from the vault; check what else is in that directory")
    }
    guard verdict.report.checkpoint == last.sequence else {
      throw CommandFailure(
        .damaged, "the copy in \(directory) does not end with line \(last.sequence)",
        hint: "nothing was removed from the vault; name another directory")
    }
  }
}
