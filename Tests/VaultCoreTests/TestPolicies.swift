import AccessPolicy
import Testing
import WireCoding

@testable import VaultCore

extension CommitTestVault {
  /// The methods that the tests' policies name.
  static let methods = [
    "seal", "policy.get", "policy.set", "policy.explain", "slot.list", "slot.remove", "key.sign",
    "key.public", "namespace.create", "namespace.list", "namespace.revoke", "presentation.open",
    "presentation.exchange", "presentation.request", "presentation.close", "presentation.match",
    "audit.tail", "status",
  ]

  /// A policy with these rules after one that leaves `alice` her administration.
  static func policy(_ rules: String = "") -> String {
    "policy 1\nallow user:alice\n  methods admin\n  namespaces **\n" + rules
  }

  /// A rule for `gate`.
  static func rule(_ methods: String, _ namespaces: String = "**") -> String {
    "allow user:gate\n  methods \(methods)\n  namespaces \(namespaces)\n"
  }

  /// A caller whose call the policy in force has allowed.
  func caller(_ uid: UInt32, groups: [UInt32] = []) -> AuditEntry.Subject {
    AuditEntry.Subject(
      Caller(uid: uid, gid: uid, groups: groups, pid: 42), by: .admin,
      policy: vault.authority.revision)
  }

  @discardableResult
  func setPolicy(
    _ text: String, replacing revision: Int64? = nil,
    by subject: AuditEntry.Subject = CommitTestVault.subject
  ) throws -> Numbered<PolicyChange> {
    try ask {
      worker.setPolicy(text, among: Self.methods, replacing: revision, by: subject, $0)
    }
  }

  /// Queues policies for the committer, which is held, in this order.
  func queuePolicies(
    _ texts: [String], replacing revision: Int64? = nil,
    by subject: AuditEntry.Subject = CommitTestVault.subject
  ) -> [Answer<Numbered<PolicyChange>>] {
    let answers = texts.map { text in
      let answer = Answer<Numbered<PolicyChange>>()
      worker.setPolicy(text, among: Self.methods, replacing: revision, by: subject, answer.reply)
      return answer
    }
    // They are queued once a job behind theirs has run.
    let queued = Answer<Int>()
    #expect(vault.slowChanges.run(for: subject) { queued.reply(.success(0)) })
    _ = try? queued.get()
    return answers
  }

  /// Stores octets as the policy past all checks, and opens the vault anew.
  func restarted(withPolicy octets: [UInt8]) throws -> CommitTestVault {
    let answer = Answer<Numbered<Int64>>()
    vault.committer.submit(
      .mutation(AuditEntry("test.policy", by: .daemon)) { context throws(VaultError) in
        try context.ledger { writer throws(LedgerError) in try writer.setPolicy(octets) }
      } finish: {
        answer.reply($0)
      })
    _ = try answer.get()
    return try restarted()
  }
}
