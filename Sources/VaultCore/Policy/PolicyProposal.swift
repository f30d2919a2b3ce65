import AccessPolicy

/// A policy that somebody wants to put in force, with the numbers that its names have.
///
/// The names are looked up before the committer sees it, as that may take long.
struct PolicyProposal: Sendable {
  /// The policy.
  let policy: Policy
  private let accounts: ResolvedAccounts

  /// Looks up the names of a policy; slow.
  init(_ policy: Policy, accounts: some AccountDirectory) {
    self.policy = policy
    self.accounts = ResolvedAccounts(of: policy, in: accounts)
  }

  /// Refuses what cannot be put in force.
  ///
  /// - Parameters:
  ///   - revision: the revision it is to replace, `nil` for whichever is in force.
  ///   - before: the policy in force.
  /// - Throws: ``VaultError`` `conflict`.
  func check(replacing revision: Int64?, _ before: PolicyInForce?) throws(VaultError) {
    if let revision, revision != before?.revision {
      throw VaultError(
        .conflict, "another policy is in force by now: look at that one first", field: "revision")
    }
    guard PolicyInForce(policy, revision: 1, accounts: accounts).hasAdministrator else {
      throw VaultError(
        .conflict,
        "nobody could change this policy again: some user or group that there is needs policy.set,"
          + " for all namespaces (**)", field: "policy")
    }
  }

  /// Says what it changes, once it has a revision.
  ///
  /// - Parameters:
  ///   - before: the policy in force.
  ///   - revision: its own.
  /// - Returns: the change.
  func change(of before: PolicyInForce?, to revision: Int64) -> PolicyChange {
    PolicyChange(
      policy: PolicyInForce(policy, revision: revision, accounts: accounts),
      isRestrictive: before.map { policy.removesRights(comparedWith: $0.policy) } ?? true)
  }
}

/// The numbers of the accounts that a policy names, as they were looked up once.
private struct ResolvedAccounts: AccountDirectory {
  private var users: [String: UInt32] = [:]
  private var groups: [String: UInt32] = [:]

  init(of policy: Policy, in accounts: some AccountDirectory) {
    for subject in policy.rules.flatMap(\.subjects) {
      switch subject {
      case .user(.name(let name)): users[name] = accounts.user(named: name)
      case .group(.name(let name)): groups[name] = accounts.group(named: name)
      case .user(.number), .group(.number), .unit: break
      }
    }
  }

  func user(named name: String) -> UInt32? { users[name] }
  func group(named name: String) -> UInt32? { groups[name] }
}
