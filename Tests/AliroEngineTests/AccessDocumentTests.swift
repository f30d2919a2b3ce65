import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

@Suite struct AccessDocumentTests {
  private let vector = Vector.all.accessDocument

  @Test func `reads the document of the vectors`() throws {
    let document = try AccessDocument(vector.document.hex)
    #expect(document.document.type == "aliro-a")
    #expect(document.signed == time("2026-01-15T08:30:00Z"))
    #expect(document.validFrom == time("2026-01-15T00:00:00Z"))
    #expect(document.validUntil == time("2027-01-15T00:00:00Z"))
    #expect(document.deviceKey == (try vectorPoint("credential")))
    #expect(document.issuerKeyIdentifier == vector.kid.hex)
    let issuer = try vectorPoint("credentialIssuer")
    #expect(SignedEnvelope.keyIdentifier(of: issuer) == vector.kid.hex)
    #expect(document.isSigned(by: issuer))
    #expect(!document.isSigned(by: try vectorPoint("wrongReader")))
  }

  @Test func `reports the signed time as AUTH1 does`() throws {
    let document = try AccessDocument(vector.document.hex)
    var text: [UInt8] = []
    DocumentInfo.Validity(document).signed.append(to: &text)
    #expect(text == vector.credentialSignedTimestamp.hex)
  }

  @Test func `no truncation gives a document`() {
    let octets = vector.document.hex
    #expect(throws: DocumentFlaw.empty) { _ = try AccessDocument([]) }
    for count in 1..<octets.count {
      #expect(throws: DocumentFlaw.self) { _ = try AccessDocument(Array(octets.prefix(count))) }
    }
  }

  @Test func `no changed octet gives a document that the issuer has signed`() throws {
    let octets = vector.document.hex
    let issuer = try vectorPoint("credentialIssuer")
    let sound = try AccessDocument(octets)
    for index in octets.indices {
      for bit in [UInt8(0x01), 0x20, 0x80] {
        var changed = octets
        changed[index] ^= bit
        guard let document = try? AccessDocument(changed) else { continue }
        #expect(!document.isSigned(by: issuer) || document == sound, "octet \(index)")
      }
    }
  }

  @Test func `finds an item that differs from its digest, and one without a digest`() throws {
    // The random octets of the item, which nothing but the digest protects.
    let changed = try replacing("eeb48e8c845acbaf", "eeb48e8c845acbae")
    #expect(throws: DocumentFlaw.digest) { _ = try AccessDocument(changed) }
    // The digest's identifier, 1, becomes 2 in the signed part: the item has none now.
    let moved = try replacing("a167616c69726f2d61a1015820", "a167616c69726f2d61a1025820")
    #expect(throws: DocumentFlaw.digest) { _ = try AccessDocument(moved) }
  }

  @Test(arguments: [
    ("a signed part of another version", "613163312e306132675348", "613163312e316132675348"),
    ("another digest algorithm", "675348412d323536", "675348412d323537"),
    ("another type inside than outside", "613567616c69726f2d616136", "613567616c69726f2d626136"),
    ("another signature algorithm", "43a10126", "43a10127"),
    ("a month 13", "74323032362d30312d31355430383a", "74323032362d31332d31355430383a"),
    ("another kind of key", "a401022001", "a401032001"),
    ("another curve", "a401022001", "a401022002"),
    ("a time without its tag number", "6131c074323032", "6131c174323032"),
    ("a flag that is no boolean", "016137f5", "016137f6"),
    (
      "a signature of zeros at r",
      "58406029a9faf93a0ef6fb8e75da0b19a72ad1580a33105cf05904aece2c6d5a7dbe",
      "58400000000000000000000000000000000000000000000000000000000000000000"
    ),
  ])
  func `names the field that is wrong`(name: String, from: String, to: String) throws {
    let octets = try replacing(from, to)
    let flaw = #expect(throws: DocumentFlaw.self) { _ = try AccessDocument(octets) }
    guard case .field = flaw else {
      Issue.record("\(String(describing: flaw))")
      return
    }
  }

  @Test func `refuses a key that is not on the curve`() throws {
    let octets = try replacing("2258202d592f0a", "2258202d592f0b")
    #expect(throws: DocumentFlaw.deviceKey) { _ = try AccessDocument(octets) }
  }

  private func replacing(_ from: String, _ to: String) throws -> [UInt8] {
    try documentReplacing([(from, to)])
  }
}

/// The document of the vectors with some hexadecimal text replaced by text of the same length.
func documentReplacing(_ changes: [(String, String)]) throws -> [UInt8] {
  var text = Vector.all.accessDocument.document.text
  for (from, to) in changes {
    try #require(text.contains(from) && from.count == to.count)
    text = text.replacing(from, with: to)
  }
  return hexOctets(text)
}
