import AccessPolicy

/// A policy that somebody wants to put in force, with the numbers that its names have.
///
/// The names are looked up before the committer sees it, as that may take long.
struct PolicyProposal: Sendable {
  /// The policy.
  let policy: Policy
  private let accounts: ResolvedAccounts
  /// Whether it leaves somebody to change it who is there, and can connect.
  private let leavesAdministrator: Bool

  /// Looks up the names of a policy; slow.
  ///
  /// - Parameters:
  ///   - policy: the policy.
  ///   - caller: who wants to put it in force; that one is there, with an account or without.
  ///   - accounts: where the names are looked up.
  init(_ policy: Policy, by caller: Caller, accounts: some AccountSource) {
    self.policy = policy
    self.accounts = ResolvedAccounts(of: policy, in: accounts)
    let (users, groups) =
      PolicyInForce(policy, revision: 1, accounts: self.accounts).administrators
    leavesAdministrator =
      users.contains(caller.uid) || groups.contains(where: caller.isMember(of:))
      || users.contains(where: accounts.canConnect) || groups.contains(where: accounts.hasMember)
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
    guard leavesAdministrator else {
      throw VaultError(
        .conflict,
        "nobody could change this policy again: a user with an account, or a group with a member,"
          + " needs policy.set, for all namespaces (**)", field: "policy")
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
