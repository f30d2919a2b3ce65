/// A policy with its account names looked up: what decides.
package struct PolicyInForce: Hashable, Sendable {
  /// Counts the changes of the policy, from 1.
  package let revision: Int64
  /// The policy.
  package let policy: Policy
  /// The subjects whose names no account has: for nobody now.
  package let unresolved: [UnresolvedSubject]
  let rules: [ResolvedRule]

  /// Looks up the accounts of a policy.
  ///
  /// - Parameters:
  ///   - policy: the policy.
  ///   - revision: its revision, from 1.
  ///   - accounts: where the names are looked up, now and never again.
  package init(_ policy: Policy, revision: Int64, accounts: some AccountDirectory) {
    self.policy = policy
    self.revision = revision
    var unresolved: [UnresolvedSubject] = []
    rules = policy.rules.enumerated().map { index, rule in
      ResolvedRule(rule, index: index, accounts: accounts, unresolved: &unresolved)
    }
    self.unresolved = unresolved
  }

  /// Whether any rule has the caller for a subject.
  package func admits(_ caller: Caller) -> Bool {
    rules.contains { $0.isFor(caller) }
  }

  /// What the rules say of a method for a caller: to be kept as long as the revision holds.
  package func grant(of method: String, to caller: Caller) -> MethodGrant {
    var granted: [GrantedRule] = []
    var isNamed = false
    for rule in rules where rule.isFor(caller) {
      isNamed = true
      if rule.rule.grants(method) { granted.append(rule.granted) }
    }
    return MethodGrant(granted, absence: isNamed ? .method : .noRule)
  }

  /// Whether a call is allowed, rates aside; for a single question without a grant to keep.
  ///
  /// - Returns: `nil` when it is.
  package func denial(
    of method: String, _ target: PolicyTarget, by caller: Caller
  ) -> DenialReason? {
    var reason = DenialReason.noRule
    for rule in rules where rule.isFor(caller) {
      if rule.rule.grants(method) {
        if rule.granted.covers(target) { return nil }
        reason = .namespace
      } else if reason == .noRule {
        reason = .method
      }
    }
    return reason
  }

  /// The users and groups that may change the policy: those with `policy.set` for the whole vault.
  ///
  /// A unit does not count: nobody can tell whether it will ever run.
  package var administrators: (users: Set<UInt32>, groups: Set<UInt32>) {
    rules.reduce(into: ([], [])) { found, rule in
      guard rule.granted.covers(.vault), rule.rule.grants("policy.set") else { return }
      found.0.formUnion(rule.users)
      found.1.formUnion(rule.groups)
    }
  }

  /// Whether there is any of these.
  package var hasAdministrator: Bool {
    let (users, groups) = administrators
    return !(users.isEmpty && groups.isEmpty)
  }
}

/// A subject whose name no account has.
package struct UnresolvedSubject: Hashable, Sendable {
  /// The line of the rule, from 1.
  package let line: Int
  /// The subject, as `user:alice`.
  package let subject: String
}
