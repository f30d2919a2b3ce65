import Synchronization

/// Bounds the locked memory of half-sent requests over all threads.
final class LockedBudget: Sendable {
  private let left: Atomic<Int>

  init(_ bytes: Int) {
    left = Atomic(bytes)
  }

  /// Takes bytes out.
  ///
  /// - Returns: `false`, and takes none, when so many are not left.
  func take(_ bytes: Int) -> Bool {
    guard left.subtract(bytes, ordering: .relaxed).newValue >= 0 else {
      left.add(bytes, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Puts bytes back.
  func giveBack(_ bytes: Int) {
    left.add(bytes, ordering: .relaxed)
  }
}
