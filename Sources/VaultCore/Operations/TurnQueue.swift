import Synchronization

/// What waits, of each user in order; the users take turns, so that none keeps the others waiting for
/// longer than it takes to serve each of them once.
final class TurnQueue<Element: Sendable>: Sendable {
  private struct State {
    /// What waits, by user.
    var lines: [UInt32: [Element]] = [:]
    /// Those of whom something waits, in the order of their turns.
    var turns: [UInt32] = []
    var count = 0
  }

  private let bound: Int
  private let userBound: Int
  private let state = Mutex(State())

  /// Makes an empty queue.
  ///
  /// - Parameters:
  ///   - bound: the most elements that wait.
  ///   - userBound: the most of one user.
  init(bound: Int, userBound: Int) {
    self.bound = bound
    self.userBound = userBound
  }

  /// Adds an element behind those of its user.
  ///
  /// - Returns: whether there was room for it.
  func add(_ element: Element, of user: UInt32) -> Bool {
    state.withLock { state in
      let waiting = state.lines[user]?.count ?? 0
      guard state.count < bound, waiting < userBound else { return false }
      if waiting == 0 { state.turns.append(user) }
      state.lines[user, default: []].append(element)
      state.count += 1
      return true
    }
  }

  /// Takes the first element of the user whose turn it is.
  func take() -> Element? {
    state.withLock { state in
      guard !state.turns.isEmpty else { return nil }
      let user = state.turns.removeFirst()
      guard var line = state.lines.removeValue(forKey: user) else { return nil }
      let element = line.removeFirst()
      state.count -= 1
      if !line.isEmpty {
        state.lines[user] = line
        state.turns.append(user)
      }
      return element
    }
  }
}
