import Synchronization

/// Lines that nobody has waited for and that could not be written, as on a full disk; they are tried
/// again until they can be.
///
/// So a call whose answer does not wait for its line has one all the same. When too many are owed,
/// such calls are refused.
final class OwedLines: Sendable {
  /// The most lines that are kept.
  static let bound = 4_096

  private let lines = Mutex<[AuditEntry]>([])

  /// How many lines are owed.
  var count: Int { lines.withLock { $0.count } }

  /// Whether calls whose answers do not wait may still be answered.
  var hasRoom: Bool { lines.withLock { $0.count < Self.bound } }

  /// Keeps a line; one beyond the bound is that of a refused call, and is left out.
  func keep(_ line: AuditEntry) {
    lines.withLock { if $0.count < 2 * Self.bound { $0.append(line) } }
  }

  /// Gives all lines, in order, to be tried again.
  func take() -> [AuditEntry] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
