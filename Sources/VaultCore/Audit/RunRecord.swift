import VaultStore

/// What the log says of the daemon's own beginning and end.
///
/// A run ends with the line `vault.stop`, so a log that ends with another line is that of a run that
/// crashed. The newest batch never leaves the outbox: rows are removed only by a commit that adds one
/// behind them.
struct RunRecord {
  private static let stop: StaticString = "vault.stop"

  /// The lines of the beginning that are not durable yet.
  private(set) var opening: [AuditEntry]

  /// Looks at how the run before this one has ended.
  init(after writer: LedgerWriter) {
    opening = [AuditEntry("vault.start", by: .daemon)]
    if !Self.hasEnded(writer) { opening.insert(AuditEntry("vault.recovered", by: .daemon), at: 0) }
  }

  /// Notes that the lines of the beginning are durable.
  mutating func recorded() {
    opening = []
  }

  /// The last line of a run; it may use the reserve of a full disk.
  static func end() -> WorkItem {
    .note(AuditEntry(stop, by: .daemon), takesAway: true) { _ in }
  }

  private static func hasEnded(_ writer: LedgerWriter) -> Bool {
    do throws(LedgerError) {
      guard let newest = try writer.newestOutboxRow() else {
        // A vault that has never run has no batch.
        return try writer.unprovenState()?.epoch == 0
      }
      let line = newest.lines.split(separator: UInt8(ascii: "\n")).last ?? []
      // No other member of a line can hold a quotation mark.
      return String(decoding: line, as: UTF8.self).contains("\"method\":\"\(stop)\"")
    } catch {
      return false
    }
  }
}
