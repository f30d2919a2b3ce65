import Synchronization

/// Lets one attempt to unseal through at a time, and later ones ever more slowly after failures, so
/// that nobody can guess a passphrase through the socket.
final class UnsealGate: Sendable {
  private struct State {
    var isBusy = false
    var failures = 0
    var openFrom: Int64 = 0
    var refused: UInt64 = 0
  }

  /// How many failures cost nothing: people mistype.
  private static let free = 3
  /// The longest wait in seconds.
  private static let longest: Int64 = 60

  private let state = Mutex(State())

  /// Starts an attempt.
  ///
  /// - Parameter now: boot-time seconds.
  /// - Throws: `busy` during another attempt, `rate_limited` before the wait is over.
  func enter(now: Int64) throws(VaultError) {
    let refusal: VaultError? = state.withLock { state in
      if state.isBusy {
        return VaultError(.busy, "another attempt to unseal is under way", retry: true)
      }
      if now < state.openFrom {
        return VaultError(
          .rateLimited, "too many failed attempts: wait \(state.openFrom - now) s", retry: true,
          retryAfter: (state.openFrom - now) * 1_000)
      }
      state.isBusy = true
      return nil
    }
    if let refusal { throw refusal }
  }

  /// How many attempts have failed since the start.
  var failureCount: UInt64 { state.withLock { $0.refused } }

  /// Ends an attempt.
  func leave(succeeded: Bool, now: Int64) {
    state.withLock { state in
      state.isBusy = false
      if !succeeded { state.refused &+= 1 }
      state.failures = succeeded ? 0 : state.failures + 1
      let excess = state.failures - Self.free
      guard excess > 0 else { return }
      state.openFrom = now + min(1 << min(excess, 16), Self.longest)
    }
  }
}
