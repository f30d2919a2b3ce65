import AliroEngine
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct OperationsPassTests {
  private func field(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) -> String? {
    do {
      try body()
      Issue.record("The pass was taken.", sourceLocation: sourceLocation)
    } catch let error as VaultError {
      #expect(error.code == .invalidParameters, sourceLocation: sourceLocation)
      return error.field
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    return nil
  }

  @Test func `a stored pass is described as it was sent, across restarts`() throws {
    var test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    #expect(code { _ = try test.describePass("door") } == .passMissing)
    let pass = TestPass.pass(for: key, groups: [TestPass.group(1), TestPass.group(2)])
    let stored = try test.storePass(pass, "door").value
    #expect(!stored.replaced)
    for _ in 0..<2 {
      let found = try test.describePass("door")
      #expect(found.digest == SHA256.hash(pass.accessDocument.span))
      #expect(found.digest == stored.pass.digest)
      #expect(found.groups == [1, 2].map { [UInt8](repeating: $0, count: 16) })
      #expect(found.document.validFrom == (try Timestamp("2023-01-01T00:00:00Z")))
      #expect(found.document.validUntil == (try Timestamp("2025-01-01T00:00:00Z")))
      #expect(found.stored == 1_700_000_500)
      #expect(found.refusal == nil)
      #expect(try test.describe("door").hasPass)
      test = try test.restarted()
    }
  }

  @Test func `a pass that has run out or not begun says so, and a clock turned back is no help`()
    throws
  {
    var test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    try test.storePass(
      TestPass.pass(for: key, from: "2023-11-14T23:00:00Z", until: "2023-11-15T00:00:00Z"), "door")
    // 1,700,000,500 is 22:21:40 on 2023-11-14.
    #expect(try test.describePass("door").refusal?.code == .notYetValid)
    test.clock.advance(wall: 3_600, boot: 3_600)
    #expect(try test.describePass("door").refusal == nil)
    test.clock.advance(wall: 3_600, boot: 3_600)
    #expect(try test.describePass("door").refusal?.code == .expired)
    #expect(try test.open("door").value.refusal?.code == .expired)
    // Time does not go back behind what was recorded, across restarts too.
    test.clock.advance(wall: -7_200)
    #expect(try test.describePass("door").refusal?.code == .expired)
    test = try test.restarted(isSealed: true)
    try test.unseal()
    #expect(try test.describePass("door").refusal?.code == .expired)
  }

  @Test func `storing again replaces, and the document need not name the same groups`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    let other = TestPass.pass(for: key, groups: [TestPass.group(3)], until: "2024-06-01T00:00:00Z")
    #expect(try test.storePass(other, "door").value.replaced)
    #expect(try test.describePass("door").groups == [[UInt8](repeating: 3, count: 16)])
  }

  @Test func `every part that is refused is named, and nothing of the pass is kept`() throws {
    let test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    let good = TestPass.pass(for: key)
    func refused(_ change: (inout TokenUnlockPass) -> Void) -> String? {
      var pass = good
      change(&pass)
      return field { try test.storePass(pass, "door") }
    }
    let document = "pass.access_document"
    let stranger = try test.publicKey("other", .presentation).value.key
    #expect(refused { $0.accessDocument = [] } == document)
    #expect(refused { $0.accessDocument.removeLast() } == document)
    #expect(refused { $0.accessDocument.append(0) } == document)
    #expect(refused { $0.accessDocument = TestPass.pass(for: stranger).accessDocument } == document)
    #expect(
      refused { $0.accessDocument = TestPass.pass(for: key, type: "aliro-r").accessDocument }
        == document)
    #expect(
      refused {
        $0.accessDocument = TestPass.pass(for: key, until: "2022-01-01T00:00:00Z").accessDocument
      } == document)
    #expect(refused { $0.readerGroups = [] } == "pass.reader_groups")
    #expect(
      refused { $0.readerGroups = (0..<65).map { TestPass.group($0) } } == "pass.reader_groups")
    let group = "pass.reader_groups[1]."
    func refusedGroup(_ change: (inout TokenUnlockPass.ReaderGroup) -> Void) -> String? {
      refused { pass in
        var group = TestPass.group(9)
        change(&group)
        pass.readerGroups.append(group)
      }
    }
    #expect(refusedGroup { $0.groupIdentifier.removeLast() } == group + "reader_group_id")
    #expect(
      refusedGroup { $0.groupIdentifier[0...] = TestPass.group().groupIdentifier[0...] }
        == group + "reader_group_id")
    #expect(refusedGroup { $0.issuerCAPublicKey.removeLast() } == group + "issuer_ca_public_key")
    #expect(refusedGroup { $0.issuerCAPublicKey[64] ^= 1 } == group + "issuer_ca_public_key")
    let certificate = group + "issuer_ca_certificate_der"
    #expect(refusedGroup { $0.issuerCACertificateDER.removeLast() } == certificate)
    #expect(refusedGroup { $0.issuerCACertificateDER.append(0) } == certificate)
    // A certificate for another key than the one beside it.
    #expect(refusedGroup { $0.issuerCAPublicKey = stranger.uncompressed } == certificate)
    #expect(code { _ = try test.describePass("door") } == .passMissing)
    try test.storePass(good, "door")
  }

  @Test func `a useless revocation document is refused, and one that was kept may run out`()
    throws
  {
    var test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    var pass = TestPass.pass(for: key)
    pass.revocationDocument = TestPass.madeDocument("revocationOfAnotherForm")
    #expect(field { try test.storePass(pass, "door") } == "pass.revocation_document")
    #expect(code { _ = try test.describePass("door") } == .passMissing)
    pass.revocationDocument = TestPass.madeDocument("revocationUntilNovember")
    try test.storePass(pass, "door")
    // Its last second is the first of 2023-11-15, and now it is 22:21:40 on the day before.
    test.clock.advance(wall: 7_200, boot: 7_200)
    test = try test.restarted()
    let found = try test.describePass("door")
    #expect(found.refusal == nil && found.revocation?.entryCount == 1)
    #expect(try test.open("door").value.refusal == nil)
    do {
      try test.storePass(pass, "door")
      Issue.record("The pass was taken.")
    } catch let error as VaultError {
      #expect(error.code == .expired && error.field == "pass.revocation_document")
    }
  }

  @Test func `a pass needs a presentation key, and is bound to that key`() throws {
    let test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    let pass = TestPass.pass(for: key)
    #expect(code { try test.storePass(pass, "nowhere") } == .notFound)
    try test.publicKey("signer", .signing)
    #expect(code { try test.storePass(pass, "signer") } == .keyUnusable)
    try test.deletePass("door")
    #expect(code { try test.storePass(pass, "door") } == .notFound)
    let next = try test.publicKey("door", .presentation).value
    #expect(field { try test.storePass(pass, "door") } == "pass.access_document")
    try test.storePass(TestPass.pass(for: next.key), "door")
  }

  @Test func `a pass checked against a key that goes meanwhile is not stored`() throws {
    let held = HeldCall(["key.public"])
    let test = try CommitTestVault(hooks: held.hooks)
    let key = try test.publicKey("door", .presentation).value.key
    let vault = test.vault
    let answer = Answer<CommitTestVault.Numbered<(pass: PassDescription, replaced: Bool)>>()
    // Both are queued in one go: the deletion first.
    let name = try NamespaceName("door")
    held.holdCommitter(vault) {
      test.worker.deletePass(name, by: CommitTestVault.subject) { _ in }
      test.worker.storePass(
        TestPass.pass(for: key), name, by: CommitTestVault.subject, answer.reply)
    }
    #expect(code { _ = try answer.get() } == .conflict)
    #expect(code { _ = try test.describePass("door") } == .passMissing)
  }

  @Test func `deletion says what was there, erases both, and the next key is a new version`() throws
  {
    var test = try CommitTestVault()
    let first = try test.door("door")
    try test.publicKey("door", .signing)
    let both = try test.deletePass("door").value
    #expect(both.hadKey && both.hadPass)
    #expect(code { _ = try test.describePass("door") } == .passMissing)
    let none = try test.deletePass("door").value
    #expect(!none.hadKey && !none.hadPass)
    test = try test.restarted()
    let second = try test.publicKey("door", .presentation).value
    #expect(second.isNew && second.version == 2 && second.key != first)
    #expect(try !test.publicKey("door", .signing).value.isNew)
    let keyOnly = try test.deletePass("door").value
    #expect(keyOnly.hadKey && !keyOnly.hadPass)
    #expect(try test.publicKey("door", .presentation).value.version == 3)
    #expect(code { try test.deletePass("nowhere") } == .notFound)
    #expect(test.vault.committer.status.erasurePending == 0)
  }
}
