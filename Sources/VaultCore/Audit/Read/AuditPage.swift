/// Lines of the log.
package struct AuditPage: Sendable {
  /// The lines as they stand in the log, without their line feeds, in their order.
  package var lines: [[UInt8]] = []
  /// Where more may be: what the next query has as ``AuditQuery/after`` when this one had one, and
  /// otherwise as ``AuditQuery/before``; `nil` when all was looked at.
  package var next: Int64?
  /// The first line that is still in the vault; `nil` for who may not see every line.
  package var first: Int64?
  /// The last line of the log, whoever may see it.
  package var last: Int64 = 0
  /// Lines that should be there and are not, or not as this vault wrote them.
  package var missing: [ClosedRange<Int64>] = []
}
