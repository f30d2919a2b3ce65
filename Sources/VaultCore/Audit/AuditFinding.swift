import VaultCrypto

/// What is wrong with the audit log, found when the vault was unsealed or while it was written.
enum AuditFinding: Hashable, Sendable {
  /// Batches are in neither a segment nor the outbox: the end of the log was lost.
  case tailLost(from: Int64, through: Int64)
  /// A batch in a segment is not the one that the database goes on from.
  case differs(batch: Int64)
  /// Behind its last whole batch a segment has something else than the beginning of the next one.
  case strangeText(segment: Int64, offset: Int64)
  /// The text before a segment's last checkpoint is not the one that was signed.
  case foreign(segment: Int64)
  /// A segment was removed or cut while it was in use.
  case cut(segment: Int64)
  /// Lines are in no segment: one was removed after it was closed.
  case missing(from: Int64, through: Int64)
  /// A closed segment is gone, or is not the one that was closed.
  case changed(segment: Int64)
  /// The segments could not be read when the vault was unsealed.
  case unreadable(Int32)
  /// Something else has the name that a new segment should get.
  case inTheWay(segment: Int64)
  /// The anchor cannot be read.
  case anchorUnreadable(Int32)
  /// There is nothing at the anchor.
  case anchorMissing
  /// What is kept at the anchor is no checkpoint of this vault.
  case anchorForeign
  /// A batch in the outbox was changed before it came into a segment.
  case outbox(batch: Int64)
  /// Lines that were written while sealed were changed or removed before they were authenticated.
  case sealedTime

  /// The finding in plain words.
  var words: String {
    switch self {
    case .tailLost(let from, let through):
      "audit batches \(from) to \(through) were lost from the end of the log"
    case .differs(let batch): "audit batch \(batch) is not the one that this database goes on from"
    case .strangeText(let segment, let offset):
      "audit segment \(segment) holds foreign text from octet \(offset) on"
    case .foreign(let segment):
      "the end of audit segment \(segment) was changed after it was signed"
    case .cut(let segment): "audit segment \(segment) was removed or cut while it was in use"
    case .missing(let from, let through):
      "audit lines \(from) to \(through) are missing: a segment was removed"
    case .changed(let segment):
      "audit segment \(segment) was changed or removed after it was closed"
    case .unreadable(let code):
      "the audit directory could not be read when the vault was unsealed:"
        + " \(AuditFileError(code: code).words)"
    case .inTheWay(let segment):
      "something that is not of the vault has the name of audit segment \(segment)"
    case .anchorUnreadable(let code):
      "the anchor cannot be read (\(AuditFileError(code: code).words)), so nothing shows whether the"
        + " vault was put back to an older state"
    case .anchorMissing:
      "there is no checkpoint at the anchor, so nothing shows whether the vault was put back to an"
        + " older state"
    case .anchorForeign: "what is kept at the anchor is not a checkpoint of this vault"
    case .outbox(let batch): "audit batch \(batch) was changed before it reached the log"
    case .sealedTime:
      "audit lines that were written while sealed were changed or removed, and are not vouched for"
    }
  }
}

extension AuditFinding {
  /// The segment that it is about.
  var segment: Int64? {
    switch self {
    case .strangeText(let segment, _), .foreign(let segment), .cut(let segment),
      .inTheWay(let segment), .changed(let segment):
      segment
    case .tailLost, .missing, .unreadable, .differs, .outbox, .sealedTime, .anchorUnreadable,
      .anchorMissing,
      .anchorForeign:
      nil
    }
  }

  /// What stands for the finding in the line that records it.
  var digest: [UInt8] { AuditEntry.damageDigest(words) }
}

extension AuditEntry {
  private static let damageMethod: StaticString = "vault.damage"

  /// Whether a line of the log records damage.
  static func tellsOfDamage(_ line: some Collection<UInt8>) -> Bool {
    // No other member of a line can hold a quotation mark.
    String(decoding: line, as: UTF8.self).contains("\"method\":\"\(damageMethod)\"")
  }

  /// The lines that record what was found damaged, a digest of the words in each.
  static func damage(_ words: [String]) -> [AuditEntry] {
    words.prefix(64).map { words in
      var entry = AuditEntry(damageMethod, by: .daemon, detailDigest: damageDigest(words))
      entry.code = .damaged
      return entry
    }
  }

  fileprivate static func damageDigest(_ words: String) -> [UInt8] {
    BLAKE2b.hash(Array(words.utf8).span)
  }
}
