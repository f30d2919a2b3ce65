import VaultCrypto

/// What was taken away from the beginning of the log, as `pruned.jsonl` tells: pairs of lines, the
/// checkpoint that closed a segment and the record that the log up to there is gone.
///
/// What is left begins at line 1 or behind any one of the pairs: the pairs are written before the
/// segments are removed, the oldest first, and a crash may come in between.
package struct AuditPruneLog: Sendable {
  /// A segment that was taken away.
  package struct Entry: Hashable, Sendable {
    /// The checkpoint that closed it.
    package let checkpoint: AuditCheckpoint
    /// The record.
    package let record: AuditPruneRecord

    /// The two lines, each with its line feed.
    package var lines: [UInt8] { checkpoint.line + record.line }

    /// Pairs two lines; `nil` unless both say the same of the same vault, signed with the same key.
    package init?(_ checkpoint: AuditCheckpoint, _ record: AuditPruneRecord) {
      guard checkpoint.vaultID == record.vaultID, checkpoint.key == record.key,
        checkpoint.position == record.position,
        record.digest == BLAKE2b.hash(checkpoint.line.span), checkpoint.isSigned, record.isSigned
      else { return nil }
      self.checkpoint = checkpoint
      self.record = record
    }
  }

  /// The name of the file, within the directory of the segments.
  package static let fileName = "pruned.jsonl"
  /// More octets than the records of a vault ever have.
  static let limit = 16 << 20

  /// The pairs, in the order of the file.
  package private(set) var entries: [Entry] = []
  /// How many octets of the text they are.
  package private(set) var length = 0
  /// Whether a pair of another vault, or of another key, stands behind them.
  private(set) var isFollowedByForeign = false

  /// Reads the text of the file, up to the first thing that is no such pair.
  ///
  /// Whose key it is that a pair is signed with must be known otherwise.
  package init(text: [UInt8]) {
    var rest = text[...]
    var since: Int64 = 0
    while let checkpoint = Self.line(&rest).flatMap(AuditCheckpoint.init(line:)),
      let record = Self.line(&rest).flatMap(AuditPruneRecord.init(line:)),
      let entry = Entry(checkpoint, record), record.since == since, record.sequence > since
    {
      since = record.sequence
      entries.append(entry)
      length = rest.startIndex
    }
  }

  private static func line(_ text: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let feed = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { text = text[(feed + 1)...] }
    return Array(text[..<feed])
  }
}

extension AuditPruneLog {
  /// Reads the pairs of this vault; none when there is no such file.
  init(_ source: any AuditSource, _ unsealed: UnsealedLedger) throws(AuditFileError) {
    var text: [UInt8] = []
    if let file = try source.pruneFile(isNew: false) {
      text = try file.read(at: 0, count: Int(min(try file.size(), Int64(Self.limit))))
    }
    self.init(text: text)
    if let foreign = entries.firstIndex(where: { !$0.checkpoint.isOwn(unsealed) }) {
      length = entries[..<foreign].reduce(0) { $0 + $1.lines.count }
      entries.removeSubrange(foreign...)
      isFollowedByForeign = true
    }
  }

  /// The pair that a log goes on behind, when it begins with this line.
  func entry(before line: Int64) -> Entry? {
    entries.last { $0.record.sequence == line - 1 }
  }
}
