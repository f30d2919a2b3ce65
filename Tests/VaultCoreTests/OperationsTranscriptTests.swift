import AliroEngine
import Foundation
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// Signatures for gateways that run the rest of Aliro themselves.
@Suite struct OperationsTranscriptTests {
  /// What a gateway would send for a reader.
  static func transcript(_ reader: TestReader, _ device: P256PublicKey) throws -> GatewayTranscript
  {
    GatewayTranscript(
      readerIdentifier: reader.identifier, deviceEphemeralKey: device.uncompressed,
      readerEphemeralKey: reader.ephemeralKey.uncompressed,
      transactionIdentifier: reader.transactionIdentifier,
      readerSignature: try reader.signature(device: device))
  }

  private func sign(
    _ test: CommitTestVault, _ transcript: GatewayTranscript, _ name: String = "door"
  ) throws -> CommitTestVault.Numbered<SignatureAnswer> {
    try test.ask {
      test.worker.signTranscript(
        transcript, try NamespaceName(name), by: CommitTestVault.subject, $0)
    }
  }

  @Test func `a transcript is signed once, whatever happens in between`() throws {
    var test = try CommitTestVault()
    let key = try test.door("door")
    try test.door("other")
    let reader = try TestReader(key)
    let device = try P256PrivateKey.generate().publicKey
    let transcript = try Self.transcript(reader, device)
    let signed = try sign(test, transcript)
    #expect(signed.value.version == 1)
    let octets =
      [0x4D, 0x20] + reader.identifier + [0x86, 0x20] + device.x + [0x87, 0x20]
      + reader.ephemeralKey.x + [0x4C, 0x10] + reader.transactionIdentifier
      + [0x93, 4, 0x4E, 0x88, 0x7B, 0x4C]
    let isValid = key.isValidSignature(signed.value.signature, message: octets.span)
    #expect(isValid)
    for _ in 0..<2 {
      #expect(code { _ = try sign(test, transcript) } == .conflict)
      try test.storePass(TestPass.pass(for: key), "door")
      #expect(code { _ = try sign(test, transcript) } == .conflict)
      test = try test.restarted()
    }
    // Another namespace has not signed it, and another transaction is another transcript.
    _ = try sign(test, transcript, "other")
    _ = try sign(test, Self.transcript(TestReader(key), device))
    let lines = try AuditLog(test).lines.filter { $0.method == "presentation.sign" }
    #expect(lines.map(\.code) == [nil, "conflict", "conflict", "conflict", "conflict", nil, nil])
    let digest = BLAKE2b.hash(SHA256.hash(octets.span).span)
    let named = "\"detail_digest\":\"\(Hex.encode(digest.span))\""
    #expect(
      lines.map { String(decoding: $0.text, as: UTF8.self).contains(named) }
        == [true, true, true, true, true, true, false])
  }

  @Test func `nothing is signed for a reader that does not stand up, or without a usable pass`()
    throws
  {
    let test = try CommitTestVault()
    let key = try test.door("door")
    try test.publicKey("keyed", .presentation)
    try test.publicKey("signer", .signing)
    let device = try P256PrivateKey.generate().publicKey
    let good = try Self.transcript(TestReader(key), device)
    var forged = good
    forged.readerSignature[3] ^= 1
    #expect(code { _ = try sign(test, forged) } == .readerUntrusted)
    let foreign = try Self.transcript(TestReader(key, group: 9), device)
    #expect(code { _ = try sign(test, foreign) } == .readerUntrusted)
    var equal = good
    equal.deviceEphemeralKey = good.readerEphemeralKey
    #expect(code { _ = try sign(test, equal) } == .invalidParameters)
    var short = good
    short.transactionIdentifier = [1]
    #expect(code { _ = try sign(test, short) } == .invalidParameters)
    #expect(code { _ = try sign(test, good, "keyed") } == .passMissing)
    #expect(code { _ = try sign(test, good, "signer") } == .keyUnusable)
    #expect(code { _ = try sign(test, good, "nowhere") } == .notFound)
    test.clock.advance(wall: 2 * 365 * 86_400, boot: 2 * 365 * 86_400)
    #expect(code { _ = try sign(test, good) } == .expired)
  }

  @Test func `a revocation erases what was signed, and so does the loss of the key`() throws {
    let test = try CommitTestVault()
    for (name, erase) in [
      ("a", { _ = try test.revoke("a") }), ("b", { _ = try test.deletePass("b") }),
    ] as [(String, () throws -> Void)] {
      let key = try test.door(name)
      let device = try P256PrivateKey.generate().publicKey
      for _ in 0..<3 { _ = try sign(test, Self.transcript(TestReader(key), device), name) }
      let rows = { () throws -> Int64 in
        try test.directory.database.openReader()
          .integer("SELECT count(*) FROM record WHERE kind = 9")
      }
      #expect(try (1...3).contains(rows()))
      try erase()
      #expect(try rows() == 0)
    }
    // The next key starts afresh.
    let device = try P256PrivateKey.generate().publicKey
    _ = try sign(test, Self.transcript(TestReader(test.door("b")), device), "b")
  }

  @Test(arguments: [
    "DELETE FROM record WHERE kind = 9",
    "UPDATE record SET box = zeroblob(length(box)) WHERE kind = 9",
    "UPDATE record SET nonce = zeroblob(24) WHERE kind = 9",
    "UPDATE record SET record_id = 'zz' WHERE kind = 9",
    "UPDATE record SET kind = 10 WHERE kind = 9",
    // As it was before the signature: none, or an earlier version of it.
    "DELETE FROM record; INSERT INTO record SELECT * FROM other.record",
    "UPDATE record SET (revision, nonce, box) = (SELECT revision, nonce, box FROM other.record o"
      + " WHERE o.kind = 9 AND o.record_id = record.record_id) WHERE kind = 9",
  ])
  func `a note of a signature that was removed, changed or put back is damage, no second signature`(
    _ sql: String
  ) throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    try test.door("fine")
    let reader = try TestReader(key)
    let device = try P256PrivateKey.generate().publicKey
    let transcript = try Self.transcript(reader, device)
    let earlier = try noted(with: transcript, in: test, reader, device)
    test.vault.close()
    let copy = try LedgerTestVault(copying: test.directory)
    try copy.tamper(sql, attach: earlier)
    let tampered = try CommitTestVault(copy)
    for _ in 0..<2 {
      #expect(code { _ = try sign(tampered, transcript) } == .damaged, "\(sql)")
    }
    #expect(
      try AuditLog(tampered).lines.contains {
        $0.method == "presentation.sign" && $0.code == "damaged"
      })
  }

  /// Signs a transcript after others, one of which is noted in the same record.
  ///
  /// - Returns: the vault as it was before the last signature.
  private func noted(
    with transcript: GatewayTranscript, in test: CommitTestVault, _ reader: TestReader,
    _ device: P256PublicKey
  ) throws -> LedgerTestVault {
    let name = try NamespaceName("door")
    let octets =
      [0x4D, 0x20] + reader.identifier + [0x86, 0x20] + device.x + [0x87, 0x20]
      + reader.ephemeralKey.x + [0x4C, 0x10] + reader.transactionIdentifier
      + [0x93, 4, 0x4E, 0x88, 0x7B, 0x4C]
    var neighbour = SHA256.hash(octets.span)
    neighbour[31] ^= 1
    let other = neighbour
    try test.ask { reply in
      test.vault.committer.submit(
        .mutation(AuditEntry("test", by: CommitTestVault.subject)) { context throws(VaultError) in
          try context.noteSigned(other, by: name)
        } finish: {
          reply($0.map { _ in })
        })
    }
    let earlier = try LedgerTestVault(copying: test.restarted(isSealed: true).directory)
    let again = try CommitTestVault(test.directory)
    _ = try sign(again, transcript)
    again.vault.close()
    return earlier
  }
}
