package import AccessPolicy
import Synchronization

/// The policy in force, for all who judge by it.
///
/// The committer installs a change before anybody hears of it, and judges once more, by the policy of
/// the moment, each call that was judged by another one.
package final class Authority: Sendable {
  /// What there is to judge by.
  package enum State: Hashable, Sendable {
    /// Nothing: the policy is sealed with the vault.
    case sealed
    /// Nothing: the policy does not open, or cannot be read, so nobody may do anything.
    case damaged
    /// A policy.
    case inForce(PolicyInForce)

    /// The policy, if there is one.
    package var policy: PolicyInForce? {
      if case .inForce(let policy) = self { policy } else { nil }
    }

    /// Judges a call, rates aside.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - target: what the call is about.
    ///   - subject: who calls. One without a revision is the daemon itself, or somebody who calls the
    ///     vault from within its process; no policy binds them.
    /// - Returns: `nil` when the call is allowed.
    package func denial(
      of method: StaticString, _ target: PolicyTarget, by subject: AuditEntry.Subject
    ) -> DenialReason? {
      guard subject.policy != nil else { return nil }
      guard let policy else { return .noRule }
      return policy.denial(of: method.description, target, by: subject.caller)
    }
  }

  /// How often something was put in force, so that a call costs one comparison.
  private let installed = Atomic<UInt64>(0)
  private let locked = Mutex(State.sealed)

  init() {}

  /// Changes with each policy that is put in force, the same one after an unseal included: names may
  /// stand for other numbers then.
  package var installation: UInt64 { installed.load(ordering: .acquiring) }

  /// The revision of the policy in force; `nil` while there is none.
  package var revision: Int64? { policy?.revision }

  /// What there is to judge by.
  package var state: State { locked.withLock { $0 } }

  /// The policy in force; `nil` while the vault is sealed, and when it is damaged.
  package var policy: PolicyInForce? { state.policy }

  /// Whether any rule has the caller for a subject; nobody while there is no policy.
  package func admits(_ caller: Caller) -> Bool {
    policy?.admits(caller) ?? false
  }

  /// Judges a call as ``State/denial(of:_:by:)`` does, by the policy in force.
  package func denial(
    of method: StaticString, _ target: PolicyTarget, by subject: AuditEntry.Subject
  ) -> DenialReason? {
    state.denial(of: method, target, by: subject)
  }

  /// Puts another policy in force, or none.
  func install(_ state: State) {
    locked.withLock { locked in
      locked = state
      installed.add(1, ordering: .releasing)
    }
  }
}
