import Synchronization

/// Bounds the locked memory of half-sent requests over all threads.
final class LockedBudget: Sendable {
  private let left: Atomic<Int>
  private let whole: LockedBudget?

  /// Makes a budget.
  ///
  /// - Parameters:
  ///   - bytes: how much there is.
  ///   - whole: the budget that it is a part of: what is taken is taken out of that too.
  init(_ bytes: Int, of whole: LockedBudget? = nil) {
    left = Atomic(bytes)
    self.whole = whole
  }

  /// Takes bytes out.
  ///
  /// - Returns: `false`, and takes none, when so many are not left.
  func take(_ bytes: Int) -> Bool {
    guard left.subtract(bytes, ordering: .relaxed).newValue >= 0, whole?.take(bytes) ?? true else {
      left.add(bytes, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Puts bytes back.
  func giveBack(_ bytes: Int) {
    left.add(bytes, ordering: .relaxed)
    whole?.giveBack(bytes)
  }
}
