import AccessPolicy
import AliroEngine
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// A right that is taken away ends like a namespace that is revoked: what gets a later number was
/// judged by the new policy.
@Suite struct OperationsPolicyLineTests {
  private static let gateway = CommitTestVault.rule("key.* namespace.create presentation.*")

  private let held: HeldCall
  private let test: CommitTestVault
  private let door: NamespaceName
  private let gate: AuditEntry.Subject

  init() throws {
    held = HeldCall(["key.sign", "presentation.exchange", "presentation.match"])
    test = try CommitTestVault(hooks: held.hooks)
    door = try NamespaceName("door")
    try test.setPolicy(CommitTestVault.policy(Self.gateway))
    gate = test.caller(2000)
  }

  /// Signs for the gateway; between computing and numbering the policy becomes another.
  private func signing(
    _ meanwhile: () throws -> Void
  ) throws -> Answer<CommitTestVault.Numbered<SignatureAnswer>> {
    let (door, gate) = (door, gate)
    return try held.holding(test, { $0.sign(door, .message([1, 2, 3]), by: gate, $1) }, meanwhile)
  }

  private func expectWithdrawn(_ method: String) throws {
    let line = try #require(try AuditLog(test).lines.last { $0.method == method })
    #expect(line.outcome == "refused" && line.code == "forbidden")
    #expect(line.reason == "right_withdrawn" && line.policy == test.vault.authority.revision)
  }

  @Test func `a finished signature is withheld when its right is taken away meanwhile`() throws {
    try test.publicKey("door")
    let answer = try signing { try test.setPolicy(CommitTestVault.policy()) }
    try refused(answer, .forbidden)
    guard case .failure(let error) = try answer.result() else { return }
    #expect(error == .forbidden(.withdrawn))
    try expectWithdrawn("key.sign")
  }

  @Test func `it goes out when the right is still there, judged by the new policy`() throws {
    try test.publicKey("door")
    let answer = try signing {
      try test.setPolicy(CommitTestVault.policy("# moved\n\n" + Self.gateway))
    }
    // The answer first: the log is read as it is then.
    let sequence = try answer.get().sequence
    let line = try #require(try AuditLog(test).line(sequence))
    #expect(line.method == "key.sign" && line.policy == 3 && line.outcome == "ok")
  }

  @Test(arguments: [
    CommitTestVault.rule("key.sign", "door/** window"), CommitTestVault.rule("key.public"),
    "allow group:ops\n  methods key.sign\n  namespaces **\n",
  ])
  func `a right to something else is not enough`(_ rule: String) throws {
    try test.publicKey("door")
    try refused(signing { try test.setPolicy(CommitTestVault.policy(rule)) }, .forbidden)
    try expectWithdrawn("key.sign")
  }

  @Test func `the step of a presentation is withheld, and its session is wiped`() throws {
    let key = try test.door("door", mailbox: 8)
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door", user: 2000)
    let auth1 = try reader.auth1()
    let running = try #require(test.vault.presentations.find(session, connection: 1, user: 2000))
    let gate = gate
    let answer: Answer<CommitTestVault.Numbered<PresentationStep>> = try held.holding(
      test, { $0.exchange(session, auth1, connection: 1, by: gate, $1) },
      { try test.setPolicy(CommitTestVault.policy()) })
    try refused(answer, .forbidden)
    #expect(running.isWiped)
    #expect(try !test.records(of: "door").contains("readerContext/persistent-keys"))
    try expectWithdrawn("presentation.exchange")
  }

  @Test func `what an advertisement matches is withheld`() throws {
    try OperationsMatchTests.door(test, "door")
    let gate = gate
    let answer: Answer<AdvertisementMatches> = try held.holding(
      test,
      {
        $0.matchAdvertisement(
          OperationsMatchTests.advertisement, address: OperationsMatchTests.address, in: nil,
          by: gate, $1)
      }, { try test.setPolicy(CommitTestVault.policy()) })
    try refused(answer, .forbidden)
    try expectWithdrawn("presentation.match")
  }

  @Test func `within one batch a policy comes before what is queued after it`() throws {
    try test.publicKey("door")
    let (before, after) = (
      Answer<CommitTestVault.Numbered<SignatureAnswer>>(),
      Answer<CommitTestVault.Numbered<SignatureAnswer>>()
    )
    let made = Answer<CommitTestVault.Numbered<(entry: NamespaceEntry, isNew: Bool)>>()
    let window = try NamespaceName("window")
    var sets: [Answer<CommitTestVault.Numbered<PolicyChange>>] = []
    held.holdCommitter(test.vault) {
      test.worker.sign(door, .message([1]), by: gate, before.reply)
      sets = test.queuePolicies([CommitTestVault.policy()], by: test.caller(1000))
      test.worker.createNamespace(window, by: gate, made.reply)
      test.worker.sign(door, .message([1]), by: gate, after.reply)
    }
    let (first, second) = (try before.get().sequence, try sets[0].get().sequence)
    #expect(second == first + 1)
    try refused(made, .forbidden)
    try refused(after, .forbidden)
    let log = try AuditLog(test)
    #expect(log.line(first)?.policy == 2 && log.line(second)?.policy == 2)
    for sequence in [second + 1, second + 2] {
      let line = try #require(log.line(sequence))
      #expect(line.reason == "right_withdrawn" && line.policy == 3)
    }
    #expect(code { try test.describe("window") } == .notFound)
  }

  @Test func `within one batch a right that is given back counts again`() throws {
    try test.publicKey("door")
    let signed = Answer<CommitTestVault.Numbered<SignatureAnswer>>()
    held.holdCommitter(test.vault) {
      _ = test.queuePolicies(
        [CommitTestVault.policy(), CommitTestVault.policy(Self.gateway)], by: test.caller(1000))
      test.worker.sign(door, .message([1]), by: gate, signed.reply)
    }
    let sequence = try signed.get().sequence
    let line = try #require(try AuditLog(test).line(sequence))
    #expect(line.policy == 4 && line.outcome == "ok")
  }

  @Test func `a policy of somebody who may not set it any more is refused`() throws {
    let bob = "policy 1\nallow user:bob\n  methods admin\n  namespaces **\n"
    var sets: [Answer<CommitTestVault.Numbered<PolicyChange>>] = []
    held.holdCommitter(test.vault) {
      sets = test.queuePolicies([bob, CommitTestVault.policy()], by: test.caller(1000))
    }
    _ = try sets[0].get()
    try refused(sets[1], .forbidden)
    #expect(test.vault.authority.policy?.policy.text == bob)
  }

  @Test func `who may not seal any more leaves the vault open`() throws {
    try test.publicKey("door")
    let policy = "policy 1\nallow user:alice\n  methods policy.*\n  namespaces **\n"
    let sealed = Answer<Int64>()
    held.holdCommitter(test.vault) {
      _ = test.queuePolicies([policy], by: test.caller(1000))
      test.worker.seal(by: test.caller(1000), sealed.reply)
    }
    try refused(sealed, .forbidden)
    #expect(test.vault.isUnsealed)
    try test.sign("door")
    try expectWithdrawn("seal")
    // From within the process no right is needed.
    try test.seal()
  }

  @Test func `what was judged before the vault was sealed is judged again after`() throws {
    try test.publicKey("door")
    let answer = try signing {
      try test.setPolicy(CommitTestVault.policy())
      try test.seal()
      try test.unseal()
    }
    try refused(answer, .forbidden)
  }
}
