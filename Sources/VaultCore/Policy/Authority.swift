package import AccessPolicy
import Synchronization

/// The policy in force, for all who judge by it.
///
/// The committer installs a change before anybody hears of it, and judges once more, by the policy of
/// the moment, each call that was judged by another one.
package final class Authority: Sendable {
  /// What there is to judge by.
  package enum Standing: Hashable, Sendable {
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
  }

  /// Zero without a policy. A copy, so that a call costs one comparison.
  private let current = Atomic<Int64>(0)
  private let state = Mutex(Standing.sealed)

  init() {}

  /// The revision of the policy in force; `nil` while there is none.
  package var revision: Int64? {
    let revision = current.load(ordering: .acquiring)
    return revision > 0 ? revision : nil
  }

  /// What there is to judge by.
  package var standing: Standing { state.withLock { $0 } }

  /// The policy in force; `nil` while the vault is sealed, and when it is damaged.
  package var policy: PolicyInForce? { standing.policy }

  /// Whether any rule has the caller for a subject; nobody while there is no policy.
  package func admits(_ caller: Caller) -> Bool {
    policy?.admits(caller) ?? false
  }

  /// Judges a call, rates aside.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: what the call is about.
  ///   - subject: who calls. One without a revision is the daemon itself, whom no policy binds.
  /// - Returns: `nil` when the call is allowed.
  package func denial(
    of method: StaticString, _ target: PolicyTarget, by subject: AuditEntry.Subject
  ) -> DenialReason? {
    standing.denial(of: method, target, by: subject)
  }

  /// Puts another policy in force, or none.
  func install(_ standing: Standing) {
    state.withLock { state in
      state = standing
      current.store(standing.policy?.revision ?? 0, ordering: .releasing)
    }
  }
}

extension Authority.Standing {
  /// Judges a call, rates aside.
  ///
  /// - Returns: `nil` when the call is allowed.
  func denial(
    of method: StaticString, _ target: PolicyTarget, by subject: AuditEntry.Subject
  ) -> DenialReason? {
    guard subject.policy != nil else { return nil }
    guard let policy else { return .noRule }
    return policy.grant(of: method.description, to: subject.caller).denial(of: target)
  }
}
