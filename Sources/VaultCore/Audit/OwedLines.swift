import Synchronization

/// The lines that nobody waits for and that are not durable yet: how many there are, and those that
/// could not be written, as on a full disk, which are tried again until they can be.
///
/// So a call whose answer does not wait for its line has one all the same. As what is kept for that
/// is bounded, the answers of further calls wait.
final class OwedLines: Sendable {
  /// The most lines that nobody waits for.
  static let bound = 4_096

  /// Lines that are on their way and lines that are kept.
  private let open = Atomic(0)
  private let kept = Mutex<[AuditEntry]>([])

  /// How many lines could not be written when they were tried last.
  var count: Int { kept.withLock { $0.count } }

  /// Takes on one more line, if there is room for it.
  ///
  /// - Returns: whether there is.
  func admit() -> Bool {
    guard open.add(1, ordering: .relaxed).newValue > Self.bound else { return true }
    settle()
    return false
  }

  /// Takes on one more line in any case: that of a call with several, the last of which asks for room.
  func add() { open.add(1, ordering: .relaxed) }

  /// Says that a line is durable, or is owed no more.
  func settle() { open.subtract(1, ordering: .relaxed) }

  /// Keeps a line that was taken on and could not be written.
  func keep(_ line: AuditEntry) { kept.withLock { $0.append(line) } }

  /// Gives all lines that are kept, in order, to be tried again.
  func take() -> [AuditEntry] {
    kept.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
