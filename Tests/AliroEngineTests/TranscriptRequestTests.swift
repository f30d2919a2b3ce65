import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// Signing for a gateway with its own Aliro stack: nothing but a device signature comes of it.
@Suite struct TranscriptRequestTests {
  /// The fields of a request, to be changed before it is made.
  private struct Fields {
    var readerIdentifier: [UInt8]
    var deviceKey: [UInt8]
    var readerKey: [UInt8]
    var transaction: [UInt8]
    var signature: [UInt8]
    var certificate: [UInt8]?

    init(_ transaction: Transaction) throws {
      let vector = transaction.vector
      let command = try Auth0Command(CommandAPDU(vector.auth0Command.hex).data)
      readerIdentifier = command.readerIdentifier
      deviceKey = try privateKey(vector.input.deviceEphemeralPrivate.hex).publicKey.uncompressed
      readerKey = command.readerEphemeralKey.uncompressed
      self.transaction = command.transactionIdentifier
      signature = vector.readerSignature.hex
      if !vector.loadCertCommand.isMissing {
        certificate = try CommandAPDU(vector.loadCertCommand.hex).data
      }
    }

    func request() throws -> TranscriptRequest {
      try TranscriptRequest(
        readerIdentifier: readerIdentifier, deviceEphemeralKey: deviceKey,
        readerEphemeralKey: readerKey, transactionIdentifier: transaction,
        readerSignature: signature, certificate: certificate)
    }
  }

  private static func credential(
    _ transaction: Transaction, _ signer: SpySigner
  ) throws -> PresentedCredential {
    .usable(
      UsableCredential(
        signer: signer, trust: [try transaction.trust()], documents: transaction.documents))
  }

  /// Expects a refusal, and that nothing was signed.
  private func expectRefusal(
    _ code: Refusal.Code, of fields: Fields, _ transaction: Transaction,
    at time: Timestamp = someDay, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let signer = try SpySigner()
    let credential = try Self.credential(transaction, signer)
    let request = try fields.request()
    let error = #expect(throws: AliroError.self, sourceLocation: sourceLocation) {
      _ = try request.sign(with: credential, at: time)
    }
    guard case .refused(let refusal) = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(refusal.code == code, sourceLocation: sourceLocation)
    #expect(signer.transcripts.isEmpty, sourceLocation: sourceLocation)
  }

  @Test(arguments: Transaction.standard)
  func `signs the device transcript of the vectors`(transaction: Transaction) throws {
    let signer = try SpySigner()
    let signed = try Fields(transaction).request().sign(
      with: Self.credential(transaction, signer), at: someDay)
    let transcript = transaction.vector.deviceTBS.hex
    #expect(signer.transcripts == [transcript])
    #expect(signed.digest == SHA256.hash(transcript.span))
    func covers(_ message: [UInt8]) -> Bool {
      signer.publicKey.isValidSignature(signed.signature, message: message.span)
    }
    #expect(covers(transcript))
    // The reader's half of the same exchange is another message.
    #expect(!covers(transaction.vector.readerTBS.hex))
  }

  @Test func `the digest tells transcripts apart`() throws {
    let digests = try Transaction.standard.map { transaction in
      try Fields(transaction).request().sign(
        with: Self.credential(transaction, SpySigner()), at: someDay
      ).digest
    }
    #expect(Set(digests).count == Set(Transaction.standard.map(\.vector.deviceTBS.text)).count)
    let again = try Fields(.direct).request().sign(
      with: Self.credential(.direct, SpySigner()), at: someDay)
    #expect(again.digest == digests[0])
  }

  @Test func `names the parameter that is wrong`() throws {
    func expect(_ field: String, _ change: (inout Fields) -> Void) throws {
      var fields = try Fields(.certified)
      change(&fields)
      #expect(throws: AliroError.parameter(field)) { _ = try fields.request() }
    }
    try expect("reader_identifier") { $0.readerIdentifier.removeLast() }
    try expect("reader_identifier") { $0.readerIdentifier.append(0) }
    try expect("transaction_identifier") { $0.transaction.removeLast() }
    try expect("transaction_identifier") { $0.transaction.append(0) }
    try expect("reader_signature") { $0.signature.removeLast() }
    try expect("reader_signature") { $0.signature.append(0) }
    try expect("certificate") { $0.certificate = [] }
    try expect("certificate") { $0.certificate?.append(0) }
    try expect("certificate") { $0.certificate?.removeLast() }
    try expect("certificate") { $0.certificate = [UInt8](repeating: 0, count: 1025) }
    for (field, path) in [
      ("device_ephemeral_key", \Fields.deviceKey), ("reader_ephemeral_key", \Fields.readerKey),
    ] {
      try expect(field) { $0[keyPath: path] = [] }
      try expect(field) { $0[keyPath: path].append(0) }
      // Off the curve, infinity, compressed, hybrid.
      try expect(field) { $0[keyPath: path][64] ^= 1 }
      try expect(field) { $0[keyPath: path] = [0] }
      try expect(field) { $0[keyPath: path] = [UInt8](repeating: 0, count: 65) }
      try expect(field) { $0[keyPath: path] = [2] + $0[keyPath: path][1..<33] }
      try expect(field) { $0[keyPath: path][0] = 6 + $0[keyPath: path][64] & 1 }
    }
  }

  @Test func `refuses ephemeral keys that are the same, or look so in the transcript`() throws {
    var fields = try Fields(.direct)
    fields.readerKey = fields.deviceKey
    #expect(throws: AliroError.parameter("reader_ephemeral_key")) { _ = try fields.request() }
    // The negative of a point has the same x: p − y for y.
    let prime = hexOctets("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    var borrow = 0
    for index in (0..<32).reversed() {
      let difference = Int(prime[index]) - Int(fields.deviceKey[33 + index]) - borrow
      borrow = difference < 0 ? 1 : 0
      fields.readerKey[33 + index] = UInt8(truncatingIfNeeded: difference)
    }
    _ = try point(fields.readerKey)
    #expect(throws: AliroError.parameter("reader_ephemeral_key")) { _ = try fields.request() }
  }

  @Test func `a signature over anything but this reader transcript gets nothing signed`() throws {
    let vector = Transaction.direct.vector
    let group = try vectorKey("readerGroup")
    func signature(_ message: [UInt8]) throws -> [UInt8] {
      try group.signature(message: message.span).raw
    }
    var fields = try Fields(.direct)
    // The group's key over the device's half, over another usage, over nothing.
    let usage = Array(vector.readerTBS.hex.dropLast(4)) + [0x41, 0x5D, 0x95, 0x6A]
    for message in [vector.deviceTBS.hex, usage, []] {
      fields.signature = try signature(message)
      try expectRefusal(.readerUntrusted, of: fields, .direct)
    }
    // The device's own signature, sent back.
    fields.signature = vector.deviceSignature.hex
    try expectRefusal(.readerUntrusted, of: fields, .direct)
    // A sound one, to show that the others fail by what they cover.
    fields.signature = try signature(vector.readerTBS.hex)
    let signer = try SpySigner()
    _ = try fields.request().sign(with: Self.credential(.direct, signer), at: someDay)
    #expect(signer.transcripts == [vector.deviceTBS.hex])
  }

  @Test func `keys that trade places get nothing signed`() throws {
    var fields = try Fields(.direct)
    swap(&fields.deviceKey, &fields.readerKey)
    try expectRefusal(.readerUntrusted, of: fields, .direct)
  }

  @Test(arguments: Transaction.standard)
  func `no changed octet of a field gets something signed`(transaction: Transaction) throws {
    let sound = try Fields(transaction)
    for path in [\Fields.transaction, \Fields.readerIdentifier, \Fields.signature] {
      for index in sound[keyPath: path].indices {
        var fields = sound
        fields[keyPath: path][index] ^= 1
        try expectRefusal(.readerUntrusted, of: fields, transaction)
      }
    }
    for other in try [vectorPoint("wrongReader"), vectorPoint("credential")] {
      var fields = sound
      fields.deviceKey = other.uncompressed
      try expectRefusal(.readerUntrusted, of: fields, transaction)
      fields = sound
      fields.readerKey = other.uncompressed
      try expectRefusal(.readerUntrusted, of: fields, transaction)
    }
  }

  @Test func `a certificate counts for its own group, in its time, and only whole`() throws {
    let sound = try Fields(.certified)
    var fields = sound
    fields.certificate = nil
    try expectRefusal(.readerUntrusted, of: fields, .certified)
    for index in try #require(sound.certificate).indices {
      fields = sound
      fields.certificate?[index] ^= 1
      let signer = try SpySigner()
      #expect(throws: AliroError.self) {
        _ = try fields.request().sign(with: Self.credential(.certified, signer), at: someDay)
      }
      #expect(signer.transcripts.isEmpty)
    }
    // The certificates end with 2048.
    try expectRefusal(.readerUntrusted, of: sound, .certified, at: time("2049-01-01T00:00:01Z"))
    try expectRefusal(.readerUntrusted, of: sound, .certified, at: time("2019-12-31T23:59:59Z"))
    // Another group's readers, certified by their own authority.
    let stranger = ReaderGroupTrust(
      groupIdentifier: Transaction.certified.groupIdentifier, key: try vectorPoint("readerGroup"))
    let signer = try SpySigner()
    let credential = PresentedCredential.usable(
      UsableCredential(
        signer: signer, trust: [stranger], documents: Transaction.certified.documents))
    let request = try sound.request()
    #expect(throws: AliroError.self) { _ = try request.sign(with: credential, at: someDay) }
    #expect(signer.transcripts.isEmpty)
    // A certificate shown beside the group's own signature does not lend it its key.
    fields = try Fields(.direct)
    fields.certificate = sound.certificate
    try expectRefusal(.readerUntrusted, of: fields, .direct)
  }

  @Test func `a group that is not in the pass gets nothing signed`() throws {
    let signer = try SpySigner()
    let credential = PresentedCredential.usable(
      UsableCredential(signer: signer, trust: [], documents: Transaction.direct.documents))
    let request = try Fields(.direct).request()
    let error = #expect(throws: AliroError.self) {
      _ = try request.sign(with: credential, at: someDay)
    }
    guard case .refused(let refusal) = error else { return }
    #expect(refusal.code == .readerUntrusted)
    #expect(signer.transcripts.isEmpty)
  }

  @Test func `a pass signs in its time alone`() throws {
    let fields = try Fields(.direct)
    try expectRefusal(.notYetValid, of: fields, .direct, at: time("2026-01-14T23:59:59Z"))
    try expectRefusal(.expired, of: fields, .direct, at: time("2027-01-15T00:00:01Z"))
  }

  @Test func `what keeps the credential from use is the reason`() throws {
    let request = try Fields(.direct).request()
    let revoked = Refusal(.revoked, "Revoked.")
    #expect(throws: AliroError.refused(revoked)) {
      _ = try request.sign(with: .refused(revoked), at: someDay)
    }
    let busy = Refusal(.busy, "No memory.")
    let signer = try SpySigner(refusal: busy)
    let credential = try Self.credential(.direct, signer)
    #expect(throws: AliroError.refused(busy)) {
      _ = try request.sign(with: credential, at: someDay)
    }
  }
}
