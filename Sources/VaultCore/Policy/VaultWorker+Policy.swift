package import AccessPolicy
import VaultCrypto
package import WireCoding

extension VaultWorker {
  /// Shows the policy in force.
  package func describePolicy(
    by subject: AuditEntry.Subject, _ reply: @escaping Answer<PolicyInForce>
  ) {
    let entry = AuditEntry("policy.get", by: subject)
    do throws(VaultError) {
      let policy = try vault.authority.inForce()
      vault.answer(policy, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Puts another policy in force; its names are looked up on the thread for slow changes.
  ///
  /// Calls that get a later number are judged by it, also those that are under way.
  ///
  /// - Parameters:
  ///   - text: the policy.
  ///   - methods: the methods there are.
  ///   - revision: the revision it is to replace, `nil` for whichever is in force.
  ///   - subject: who asks.
  ///   - reply: given what has changed; `conflict` when another revision is in force, or when nobody
  ///     could change the policy again.
  package func setPolicy(
    _ text: String, among methods: [String], replacing revision: Int64?,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PolicyChange, sequence: Int64)>
  ) {
    let entry = AuditEntry(
      "policy.set", by: subject, detailDigest: BLAKE2b.hash(Array(text.utf8).span))
    changeSlowly(entry, reply) { vault throws(VaultError) in
      let before = vault.authority.policy
      let proposal = try PolicyProposal(
        text, among: methods, by: subject.caller, accounts: vault.accounts)
      try proposal.check(replacing: revision, before)
      vault.committer.hooks.computed?(entry.method)
      // Like a revocation, what takes a right away is not to wait for room on the disk.
      let takesAway = proposal.change(of: before, to: 0).isRestrictive
      vault.committer.submit(
        .mutation(entry, takesAway: takesAway) { context throws(VaultError) in
          try context.setPolicy(proposal, replacing: revision)
        } finish: {
          reply($0)
        })
    }
  }

  /// Says what putting a policy in force would do, and does not.
  package func tryPolicy(
    _ text: String, among methods: [String], replacing revision: Int64?,
    by subject: AuditEntry.Subject, _ reply: @escaping Answer<PolicyChange>
  ) {
    let entry = AuditEntry("policy.set.dry_run", by: subject)
    changeSlowly(entry, reply) { vault throws(VaultError) in
      let before = try vault.authority.inForce()
      let proposal = try PolicyProposal(
        text, among: methods, by: subject.caller, accounts: vault.accounts)
      try proposal.check(replacing: revision, before)
      vault.answer(proposal.change(of: before, to: before.revision), entry, reply)
    }
  }

  /// Says what the policy in force says of a call that somebody might make.
  package func explainPolicy(
    _ question: PolicyQuestion, about namespace: NamespaceName?, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<PolicyAnswer>
  ) {
    let entry = AuditEntry("policy.explain", by: subject)
    readSlowly(entry, reply) { vault throws(VaultError) in
      let policy = try vault.authority.inForce()
      let caller = try Caller(question, in: vault.accounts)
      vault.answer(
        PolicyAnswer(
          revision: policy.revision, method: question.method, namespace: namespace,
          caller: caller, endpoint: question.endpoint,
          explanation: question.target.map { policy.explain(question.method, $0, by: caller) },
          record: nil),
        entry, reply)
    }
  }

  /// Says what the policy in force says of the call that an audit line is for.
  ///
  /// The line does not say which groups its caller had: they are those of the user's account now.
  ///
  /// - Parameters:
  ///   - sequence: the number of the line.
  ///   - target: tells what a call of a method, with a namespace or without, is about; `nil` when the
  ///     policy does not decide about it.
  ///   - subject: who asks.
  ///   - reply: given the answer; `not_found` when there is no such line, or when it is for no call.
  package func explainLine(
    _ sequence: Int64, target: @escaping @Sendable (String, NamespaceName?) -> PolicyTarget?,
    by subject: AuditEntry.Subject, _ reply: @escaping Answer<PolicyAnswer>
  ) {
    let entry = AuditEntry("policy.explain", by: subject)
    readSlowly(entry, reply) { vault throws(VaultError) in
      let policy = try vault.authority.inForce()
      let record = try vault.callRecord(sequence)
      let method = record.governedMethod
      guard let endpoint = record.endpoint, !AuditEntry.ownMethods.contains(method) else {
        throw VaultError(
          .notFound, "this line is not for one call that somebody made: look at it with audit.tail",
          field: "seq")
      }
      let groups = vault.accounts.groups(ofUser: record.uid)
      let caller = Caller(
        uid: record.uid, gid: groups.first ?? .max, groups: Array(groups.dropFirst()),
        pid: record.pid, unit: record.unit)
      let asked = target(method, record.namespace)
      vault.answer(
        PolicyAnswer(
          revision: policy.revision, method: method, namespace: record.namespace,
          caller: caller, endpoint: endpoint,
          explanation: asked.map { policy.explain(method, $0, by: caller) },
          record: record),
        entry, reply)
    }
  }
}

extension Vault {
  fileprivate func callRecord(_ sequence: Int64) throws(VaultError) -> CallRecord {
    var reader = try logReader()
    guard let line = try reader.line(sequence) else {
      let first = try reader.first()
      guard sequence >= first else {
        throw VaultError(
          .notFound,
          "this line is no longer in the vault, whose audit log begins with line \(first)",
          field: "seq")
      }
      guard reader.missing.isEmpty else { throw .lineDamaged }
      throw VaultError(.notFound, "the audit log has no line of this number", field: "seq")
    }
    guard let record = CallRecord(line.span), record.sequence == sequence else {
      throw VaultError.lineDamaged
    }
    return record
  }
}

extension VaultError {
  /// What stands in the place of an audit line is not what the vault wrote.
  fileprivate static let lineDamaged = VaultError(
    .damaged, "this line of the audit log is damaged: see 'vaultctl audit verify'")
}

extension Authority {
  /// The policy in force.
  ///
  /// - Throws: `sealed`, `damaged`.
  func inForce() throws(VaultError) -> PolicyInForce {
    switch state {
    case .sealed: throw .sealed
    case .damaged: throw .policyDamaged
    case .inForce(let policy): return policy
    }
  }
}

extension PolicyProposal {
  /// Reads a policy, and looks up its names.
  ///
  /// - Throws: ``VaultError`` `invalid_params` that names the line and the word at fault.
  fileprivate init(
    _ text: String, among methods: [String], by caller: Caller, accounts: some AccountSource
  ) throws(VaultError) {
    let policy: Policy
    do throws(PolicyFault) { policy = try Policy(text, methods: methods) } catch {
      throw VaultError(.invalidParameters, error.description, field: "policy")
    }
    self.init(policy, by: caller, accounts: accounts)
  }
}

extension Caller {
  /// Looks up the names of a caller that somebody asks about; slow.
  ///
  /// - Throws: ``VaultError`` `not_found` when there is no such user or group.
  fileprivate init(
    _ question: PolicyQuestion, in accounts: any AccountSource
  ) throws(VaultError) {
    guard let uid = PolicyLine.account(question.user) ?? accounts.user(named: question.user) else {
      throw VaultError(
        .notFound, "there is no such user on the vault's machine", field: "call.user")
    }
    guard uid != SystemAccounts.overflowUser else {
      throw VaultError(
        .invalidParameters,
        "nobody can connect as this user: the kernel gives its number to users that have none here",
        field: "call.user")
    }
    var groups = accounts.groups(ofUser: uid)
    if let named = question.groups {
      groups = []
      for (index, name) in named.enumerated() {
        guard let gid = PolicyLine.account(name) ?? accounts.group(named: name) else {
          throw VaultError(
            .notFound, "there is no such group on the vault's machine",
            field: "call.groups[\(index)]")
        }
        groups.append(gid)
      }
    }
    // All bits set means "no one" to the kernel, and no rule can name it.
    self.init(
      uid: uid, gid: groups.first ?? .max, groups: Array(groups.dropFirst()), pid: 0,
      unit: question.unit)
  }
}
