/// A policy with its account names looked up: what decides.
package struct PolicyInForce: Hashable, Sendable {
  /// Counts the changes of the policy, from 1.
  package let revision: Int64
  /// The policy.
  package let policy: Policy

  /// Looks up the accounts of a policy.
  package init(_ policy: Policy, revision: Int64, accounts: some AccountDirectory) {
    self.policy = policy
    self.revision = revision
  }

  /// Whether any rule has the caller for a subject.
  package func admits(_ caller: Caller) -> Bool { true }

  /// What the rules say of a method for a caller: to be kept as long as the revision holds.
  package func grant(of method: String, to caller: Caller) -> MethodGrant { MethodGrant() }
}

/// Where the names of users and groups are looked up.
package protocol AccountDirectory: Sendable {
  /// The number of a user.
  func user(named name: String) -> UInt32?
  /// The number of a group.
  func group(named name: String) -> UInt32?
}
