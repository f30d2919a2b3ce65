import WireCoding

@testable import VaultCore

extension CommitTestVault {
  /// Puts a policy in force: these methods and namespaces for ``gate``, in the words of a policy.
  func govern(_ rules: [(methods: String, namespaces: String)]) throws {
    try setPolicy(Self.policy(rules.map { Self.rule($0.methods, $0.namespaces) }.joined()))
  }

  /// A caller whose call the policy in force has allowed, and who may do little.
  var gate: AuditEntry.Subject { caller(2000) }

  /// Makes namespaces without keys, all in one transaction.
  func create(_ names: [String]) throws {
    let names = try names.map { try NamespaceName($0) }
    let _: Numbered<Void> = try ask { reply in
      vault.committer.submit(
        .mutation(AuditEntry("test", by: Self.subject)) { context throws(VaultError) in
          for name in names { _ = try context.create(name) }
        } finish: {
          reply($0)
        })
    }
  }
}
