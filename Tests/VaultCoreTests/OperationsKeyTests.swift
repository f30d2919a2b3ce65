import Foundation
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct OperationsKeyTests {
  @Test func `64 threads that race for a new name get one key`() throws {
    let test = try CommitTestVault()
    let vault = test.vault
    let name = try NamespaceName("race/one")
    let answers = (0..<64).map { _ in Answer<(value: PublicKeyAnswer, sequence: Int64)>() }
    let gate = DispatchGroup()
    gate.enter()
    for answer in answers {
      let thread = Thread {
        let worker = VaultWorker(vault)
        gate.wait()
        worker.publicKey(name, .presentation, by: CommitTestVault.subject, answer.reply)
      }
      thread.start()
    }
    gate.leave()
    let found = try answers.map { try $0.get() }
    #expect(Set(found.map(\.value.key.uncompressed)).count == 1)
    #expect(found.count { $0.value.isNew } == 1)
    #expect(found.allSatisfy { $0.value.version == 1 && $0.value.purpose == .presentation })
    #expect(Set(found.map(\.sequence)).count == 64)
    #expect(answers.allSatisfy { $0.count == 1 })
    // The one that made it comes before all that found it.
    #expect(found.min { $0.sequence < $1.sequence }?.value.isNew == true)
  }

  @Test func `a key stays the same across calls, purposes and restarts`() throws {
    var test = try CommitTestVault()
    let signing = try test.publicKey("a/b")
    let presentation = try test.publicKey("a/b", .presentation)
    #expect(signing.value.isNew && presentation.value.isNew)
    #expect(signing.value.key != presentation.value.key)
    for _ in 0..<3 {
      let again = try test.publicKey("a/b")
      #expect(again.value.key == signing.value.key && !again.value.isNew)
      #expect(try test.publicKey("a/b", .presentation).value.key == presentation.value.key)
      test = try test.restarted()
      #expect(test.damage == [])
    }
    let listed = try test.ask { worker in
      test.worker.listKeys(try NamespaceName("a/b"), by: CommitTestVault.subject, worker)
    }
    #expect(listed.value.map(\.purpose) == [.presentation, .signing])
    #expect(listed.value.allSatisfy { $0.version == 1 && $0.created == 1_700_000_500 })
  }

  @Test func `only a signing key signs what a caller chooses`() throws {
    let test = try CommitTestVault()
    #expect(code { try test.sign("no/such") } == .notFound)
    let made = try test.ask {
      test.worker.createNamespace(try NamespaceName("bare"), by: CommitTestVault.subject, $0)
    }
    #expect(made.value.isNew)
    #expect(code { try test.sign("bare") } == .notFound)
    try test.publicKey("door", .presentation)
    #expect(code { try test.sign("door") } == .keyUnusable)
    try test.publicKey("door", .signing)
    try test.sign("door")
  }

  @Test func `signatures verify with OpenSSL, of messages and of digests, DER and raw`() throws {
    let test = try CommitTestVault()
    let key = try test.publicKey("sign").value.key
    let message = Array("open the door".utf8)
    let ofMessage = try test.sign("sign", message).value
    let digest = SHA256.hash(message.span)
    let ofDigest = try test.ask {
      test.worker.sign(
        try NamespaceName("sign"), .digest(digest), by: CommitTestVault.subject, $0)
    }.value
    #expect(ofMessage.version == 1)
    #expect(try OpenSSLCommand.verifies(ofMessage.signature.der, message, key))
    #expect(try OpenSSLCommand.verifies(ofDigest.signature.der, message, key))
    #expect(try !OpenSSLCommand.verifies(ofMessage.signature.der, message + [0], key))
    for signature in [ofMessage.signature, ofDigest.signature] {
      let raw = signature.raw
      #expect(raw.count == 64)
      #expect(try OpenSSLCommand.verifies(OpenSSLCommand.der(raw), message, key))
    }
  }

  @Test func `sealed, the vault gives out nothing that it knows`() throws {
    let test = try CommitTestVault()
    try test.publicKey("k")
    let line = try test.seal()
    #expect(line > 0)
    #expect(code { try test.publicKey("k") } == .sealed)
    #expect(code { try test.sign("k") } == .sealed)
    #expect(code { try test.revoke("k") } == .sealed)
    #expect(code { _ = try test.describe("k") } == .sealed)
    #expect(code { try test.seal() } == .sealed)
    try test.unseal(LedgerTestVault.second)
    #expect(try !test.publicKey("k").value.isNew)
    #expect(code { try test.unseal() } == .conflict)
  }
}

/// The `openssl` command, as a second opinion.
enum OpenSSLCommand {
  static func verifies(
    _ signature: [UInt8], _ message: [UInt8], _ key: P256PublicKey
  ) throws -> Bool {
    let root = try LedgerTestVault.makeRoot()
    defer { try? FileManager.default.removeItem(atPath: root) }
    // SubjectPublicKeyInfo of a P-256 point: a fixed head and the point (RFC 5480).
    let head = try Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200")
    try Data(head + key.uncompressed).write(to: URL(filePath: root + "/key"))
    try Data(signature).write(to: URL(filePath: root + "/signature"))
    try Data(message).write(to: URL(filePath: root + "/message"))
    let command = Process()
    command.executableURL = URL(filePath: "/usr/bin/openssl")
    command.arguments = [
      "dgst", "-sha256", "-keyform", "DER", "-verify", root + "/key", "-signature",
      root + "/signature", root + "/message",
    ]
    command.standardOutput = FileHandle.nullDevice
    command.standardError = FileHandle.nullDevice
    try command.run()
    command.waitUntilExit()
    return command.terminationStatus == 0
  }

  /// The DER form of r ‖ s, written here so that the vault's own encoder is not asked.
  static func der(_ raw: [UInt8]) -> [UInt8] {
    func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var value = Array(bytes.drop { $0 == 0 })
      if value.first.map({ $0 >= 0x80 }) ?? true { value.insert(0, at: 0) }
      return [2, UInt8(value.count)] + value
    }
    let body = integer(raw[..<32]) + integer(raw[32...])
    return [0x30, UInt8(body.count)] + body
  }
}
