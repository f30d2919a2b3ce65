import AccessPolicy
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The policy in force: how it comes to be, and what keeps it from becoming useless.
@Suite struct OperationsPolicyTests {
  private let test: CommitTestVault

  init() throws { test = try CommitTestVault() }

  private var authority: Authority { test.vault.authority }

  @Test func `a new vault grants its first admin everything, and nobody else anything`() throws {
    let policy = try #require(authority.policy)
    #expect(policy.policy.text == Policy.first(admin: "user:1000"))
    #expect(authority.revision == 1 && policy.revision == 1)
    #expect(authority.admits(Caller(uid: 1000, gid: 1, groups: [], pid: 7)))
    #expect(authority.denial(of: "seal", .vault, by: test.caller(1000)) == nil)
    #expect(authority.denial(of: "seal", .vault, by: test.caller(0)) == .noRule)
    #expect(!authority.admits(Caller(uid: 0, gid: 0, groups: [0], pid: 7)))
  }

  @Test func `there is no policy while the vault is sealed`() throws {
    let subject = test.caller(1000)
    try test.seal()
    #expect(authority.state == .sealed && authority.revision == nil)
    #expect(!authority.admits(subject.caller))
    #expect(authority.denial(of: "key.sign", .vault, by: subject) == .noRule)
    #expect(code { _ = try test.ask { test.worker.describePolicy(by: subject, $0) } } == .sealed)
    try test.unseal()
    #expect(authority.revision == 1)
  }

  @Test(arguments: ["user:1000", "group:4711"])
  func `what an earlier release stored is the first admin's policy`(_ text: String) throws {
    let again = try test.restarted(withPolicy: Array(text.utf8))
    #expect(again.vault.authority.policy?.policy.text == Policy.first(admin: text))
    #expect(again.vault.authority.revision == 2)
    #expect(again.damage == [])
  }

  @Test(arguments: [
    Array("policy 2\nallow user:alice methods admin namespaces **\n".utf8), [], [0xFF, 0xFE],
    Array("policy 1\nallow user:alice\n  methods admin\n  spaces **\n".utf8),
  ])
  func `a policy that cannot be read allows nobody anything, and is told of`(
    _ octets: [UInt8]
  ) throws {
    let subject = test.caller(1000)
    try test.publicKey("door")
    let again = try test.restarted(withPolicy: octets)
    #expect(again.vault.authority.state == .damaged && again.vault.authority.revision == nil)
    #expect(again.damage.count == 1 && again.damage[0].hasPrefix("the policy cannot be read"))
    #expect(again.vault.authority.denial(of: "seal", .vault, by: subject) == .noRule)
    // What was judged by another policy is withheld; sealing too.
    let name = try NamespaceName("door")
    #expect(
      code { _ = try again.ask { again.worker.sign(name, .message([1]), by: subject, $0) } }
        == .forbidden)
    #expect(code { _ = try again.ask { again.worker.seal(by: subject, $0) } } == .forbidden)
    #expect(again.vault.isUnsealed)
    #expect(
      code { _ = try again.ask { again.worker.describePolicy(by: subject, $0) } } == .damaged)
  }

  @Test func `a policy whose row was changed is damaged`() throws {
    test.vault.close()
    try test.directory.tamper("UPDATE policy SET box = zeroblob(length(box))")
    let again = try test.restarted()
    #expect(again.vault.authority.state == .damaged)
    #expect(again.damage == [Damage.policy.words])
  }

  @Test func `a policy that is set is in force when the answer comes, and after a restart`() throws
  {
    let text = CommitTestVault.policy(CommitTestVault.rule("gateway", "home/**"))
    let set = try test.setPolicy(text, replacing: 1)
    #expect(set.value.policy.revision == 2 && authority.revision == 2)
    #expect(authority.policy == set.value.policy)
    let gate = test.caller(2000)
    let (home, other) = (try NamespaceName("home/door"), try NamespaceName("other"))
    #expect(authority.denial(of: "presentation.open", .namespace(home), by: gate) == nil)
    #expect(authority.denial(of: "presentation.open", .namespace(other), by: gate) == .namespace)
    #expect(authority.denial(of: "key.sign", .namespace(home), by: gate) == .method)
    let shown = try test.ask { test.worker.describePolicy(by: CommitTestVault.subject, $0) }
    #expect(shown.policy.text == text)
    let again = try test.restarted()
    #expect(again.vault.authority.policy == set.value.policy)
  }

  @Test func `a line tells of a change, what it was, and whether it took anything away`() throws {
    let gateway = CommitTestVault.rule("gateway", "home/**")
    let more = CommitTestVault.rule("monitor")
    // The first policy names alice by her number.
    let first = try test.setPolicy(CommitTestVault.policy(gateway))
    let added = try test.setPolicy(CommitTestVault.policy(gateway + more))
    let moved = try test.setPolicy(CommitTestVault.policy("# other order\n" + more + gateway))
    let less = try test.setPolicy(CommitTestVault.policy(more))
    let log = try AuditLog(test)
    for (set, isRestrictive) in [(first, true), (added, false), (moved, false), (less, true)] {
      #expect(set.value.isRestrictive == isRestrictive)
      let line = try #require(log.line(set.sequence))
      #expect(line.method == "policy.set" && line.outcome == "ok")
      #expect(line.isRestrictive == isRestrictive)
      let digest = Hex.encode(BLAKE2b.hash(Array(set.value.policy.policy.text.utf8).span).span)
      #expect(String(decoding: line.text, as: UTF8.self).contains(digest))
    }
  }

  @Test(arguments: [
    "policy 1\n", "policy 1\nallow user:alice\nmethods gateway\nnamespaces **\n",
    "policy 1\nallow user:alice\nmethods admin\nnamespaces home/**\n",
    "policy 1\nallow user:nobody-here group:none\nmethods admin\nnamespaces **\n",
    "policy 1\nallow unit:admin.service\nmethods admin\nnamespaces **\n",
    "policy 1\nallow user:4000 group:4000\nmethods admin\nnamespaces **\n",
    "policy 1\nallow group:empty\nmethods admin\nnamespaces **\n",
  ])
  func `a policy that leaves no administrator is refused`(_ text: String) throws {
    #expect(code { try test.setPolicy(text) } == .conflict)
    #expect(
      code {
        _ = try test.ask {
          test.worker.tryPolicy(
            text, among: CommitTestVault.methods, replacing: nil, by: CommitTestVault.subject, $0)
        }
      } == .conflict)
    #expect(authority.revision == 1)
  }

  @Test(arguments: [
    "policy 1\nallow user:1001\nmethods policy.set\nnamespaces **\n",
    "policy 1\nallow group:ops\nmethods policy.*\nnamespaces **\n",
    "policy 1\nallow user:nobody-here user:bob\nmethods *\nnamespaces **\n",
  ])
  func `one account that is there is administrator enough`(_ text: String) throws {
    #expect(try test.setPolicy(text).value.policy.revision == 2)
  }

  @Test func `who sets a policy is there, with an account or without`() throws {
    let caller = AuditEntry.Subject(Caller(uid: 4000, gid: 4001, groups: [4002], pid: 42))
    for subject in ["user:4000", "group:4001", "group:4002"] {
      let text = "policy 1\nallow \(subject)\nmethods admin\nnamespaces **\n"
      #expect(code { try test.setPolicy(text) } == .conflict)
      try test.setPolicy(text, by: caller)
      try test.setPolicy(CommitTestVault.policy())
    }
  }

  @Test func `a word that means nothing is refused by its line and name`() throws {
    let text = "policy 1\nallow user:alice\n  methods key.sing\n  namespaces **\n"
    let error = #expect(throws: VaultError.self) { try test.setPolicy(text) }
    #expect(error?.code == .invalidParameters && error?.field == "policy")
    #expect(error?.message.hasPrefix("line 3: \"key.sing\": ") == true)
    #expect(authority.revision == 1)
  }

  @Test func `a policy that was meant to replace another one is refused`() throws {
    try test.setPolicy(CommitTestVault.policy(), replacing: 1)
    let error = #expect(throws: VaultError.self) {
      try test.setPolicy(CommitTestVault.policy(), replacing: 1)
    }
    #expect(error?.code == .conflict && error?.field == "revision")
    #expect(authority.revision == 2)
  }

  @Test func `of two that would replace the same one, the second in a batch is refused`() throws {
    var answers: [Answer<CommitTestVault.Numbered<PolicyChange>>] = []
    HeldCall([]).holdCommitter(test.vault) {
      answers = test.queuePolicies(
        [CommitTestVault.policy(), CommitTestVault.policy()], replacing: 1)
    }
    #expect(try answers[0].get().value.policy.revision == 2)
    try refused(answers[1], .conflict)
  }

  @Test func `a dry run says what would change, and changes nothing`() throws {
    let text = CommitTestVault.policy(
      "allow user:nobody-here\n  methods monitor\n  namespaces **\n")
    let change = try test.ask {
      test.worker.tryPolicy(
        text, among: CommitTestVault.methods, replacing: 1, by: CommitTestVault.subject, $0)
    }
    #expect(change.policy.revision == 1 && change.isRestrictive)
    #expect(change.policy.unresolved.map(\.subject) == ["user:nobody-here"])
    #expect(authority.policy?.policy.text == Policy.first(admin: "user:1000"))
    let line = try #require(try AuditLog(test).lines.last { $0.method.hasPrefix("policy.") })
    #expect(line.method == "policy.set.dry_run" && !line.isRestrictive)
  }
}
