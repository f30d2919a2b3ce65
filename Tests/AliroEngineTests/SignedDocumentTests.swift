import Testing
import VaultCrypto

@testable import AliroEngine

/// Documents that cbor2 and python-cryptography made (section 13).
@Suite struct SignedDocumentTests {
  private let vectors = Vector.documents

  @Test func `keeps the octets, and knows where items and signature stand`() throws {
    let octets = vectors.access.hex
    let document = try AccessDocument(octets).document
    #expect(document.octets == octets)
    #expect(document.nameSpaces.map(\.name) == ["aliro-a", "vendor"])
    let items = document.nameSpaces.flatMap(\.items)
    #expect(items.map(\.element) == ["office", "greeting", "gate", "gate"])
    for item in items {
      // The tag of encoded CBOR and a byte string: what the digest covers.
      #expect(octets[item.encoding].starts(with: [0xD8, 0x18]))
      #expect(item.encoding.upperBound == item.value.upperBound)
    }
    #expect(document.value(of: items[1])?.text == "hello")
    #expect(document.value(of: items[3])?.bytes == [1, 2])
    #expect(octets[document.issuerAuth].starts(with: [0x84, 0x43, 0xA1, 0x01, 0x26]))
  }

  @Test func `reads a revocation document`() throws {
    let document = try RevocationDocument(vectors.revocation.hex)
    #expect(document.document.type == "aliro-r")
    #expect(document.signed == time("2026-01-15T00:00:00Z"))
    #expect(document.validFrom == time("2026-01-15T00:00:00Z"))
    #expect(document.validUntil == time("2027-01-15T00:00:00Z"))
    #expect(document.mode == .append)
    #expect(document.entryCount == 2)
    #expect(document.isSigned(by: try vectorPoint("credentialIssuer")))
    #expect(!document.isSigned(by: try vectorPoint("wrongReader")))
  }

  @Test func `a revocation document of another form says nothing`() throws {
    let document = try RevocationDocument(vectors.revocationOfAnotherForm.hex)
    #expect(document.mode == nil)
    #expect(document.entryCount == 0)
  }

  @Test func `a credential's key belongs to access documents alone`() throws {
    #expect(throws: DocumentFlaw.field("mso.deviceKey")) {
      _ = try RevocationDocument(vectors.revocationWithKey.hex)
    }
    #expect(throws: DocumentFlaw.field("mso.deviceKey")) {
      _ = try AccessDocument(vectors.revocation.hex)
    }
  }

  @Test(arguments: Vector.documents.flawed.list)
  func `names what a document lacks`(flawed: Vector) {
    #expect(throws: DocumentFlaw.field(flawed.field.text)) {
      _ = try AccessDocument(flawed.document.hex)
    }
  }

  @Test func `a certificate in the header is noted, and never trusted`() throws {
    let document = try AccessDocument(vectors.certified.hex)
    #expect(document.document.envelope.hasCertificate)
    #expect(document.issuerKeyIdentifier == nil)
    // Only a key that was given counts, whatever the certificate says.
    #expect(document.isSigned(by: try vectorPoint("credentialIssuer")))
    #expect(!document.isSigned(by: try vectorPoint("wrongReader")))
    #expect(try !AccessDocument(vectors.access.hex).document.envelope.hasCertificate)
  }

  @Test func `no changed octet gives a revocation document that the issuer has signed`() throws {
    let octets = vectors.revocation.hex
    let issuer = try vectorPoint("credentialIssuer")
    for index in octets.indices {
      #expect(throws: DocumentFlaw.self) { _ = try RevocationDocument(Array(octets.prefix(index))) }
      for bit in [UInt8(0x01), 0x20, 0x80] {
        var changed = octets
        changed[index] ^= bit
        guard let document = try? RevocationDocument(changed) else { continue }
        #expect(!document.isSigned(by: issuer), "octet \(index)")
      }
    }
  }

  /// Values of an element, encoded with cbor2.
  @Test(arguments: [
    ("a200000100", RevocationDocument.ChangeMode.overwrite, 0),
    // {0: 0, 1: 1, 2: [{0: b"\x01"}, {1: b"\x02", 2: #6.1(5)}, {0: b"", 1: b""}], 3: [], 4: {}}
    ("a500000101 0283a1004101a201410202c105a2004001 40 0380 04a0", .append, 3),
  ])
  func `reads revocation data`(text: String, mode: RevocationDocument.ChangeMode, count: Int) throws
  {
    let data = try #require(RevocationData(CBORDecoder.decode(hexOctets(text))))
    #expect(data.mode == mode)
    #expect(data.entryCount == count)
  }

  @Test(arguments: [
    ("6161", "text"), ("a10100", "no version"), ("a10000", "no mode"), ("a200000102", "mode 2"),
    ("a3000001000200", "entries that are no list"), ("a3000001000281a0", "an empty entry"),
    ("a3000001000281a102c100", "an expiry alone"),
    ("a3000001000281a10000", "a hash that is no octets"),
    ("a3000001000281a101510102030405060708090a0b0c0d0e0f1011", "17 octets of identifier"),
    ("a3000001000281a20141000200", "an expiry that is no time"),
    ("a3000001000381a0", "a bad entry to remove"),
    ("a300000100028100", "an entry that is no map"),
  ])
  func `what breaks a rule is not revocation data`(text: String, name: String) throws {
    #expect(RevocationData(try CBORDecoder.decode(hexOctets(text))) == nil)
  }
}
