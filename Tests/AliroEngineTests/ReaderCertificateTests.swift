import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

@Suite struct ReaderCertificateTests {
  @Test(arguments: Vector.all.certificates.list)
  func `rebuilds the X.509 certificate octet for octet`(vector: Vector) throws {
    let issuer = try point(vector.issuerPublicKey.hex)
    let compressed = vector.compressed.hex
    let fields = try CompressedCertificate.decode(compressed)
    #expect(fields.serial == vector.fields.serial.hex)
    #expect(fields.issuer == Array(vector.fields.issuer.text.utf8))
    #expect(fields.notBefore == Array(vector.fields.notBefore.text.utf8))
    #expect(fields.notAfter == Array(vector.fields.notAfter.text.utf8))
    #expect(fields.subject == Array(vector.fields.subject.text.utf8))
    #expect(fields.publicKey == vector.fields.publicKey.hex)
    #expect(fields.signature == vector.fields.signatureDER.hex)
    #expect(try fields.toBeSigned(issuerKey: issuer) == vector.tbs.hex)
    let certificate = try UnverifiedReaderCertificate(compressed: compressed)
    let x509 = try certificate.x509(issuerKey: issuer)
    #expect(x509 == vector.x509.hex)
    // OpenSSL reads what was rebuilt, and agrees about the signature.
    let parsed = try X509Certificate(der: x509.span)
    #expect(parsed.publicKey.uncompressed == vector.fields.publicKey.hex)
    #expect(parsed.isSigned(by: issuer) == vector.signatureValid.flag)
  }

  @Test(arguments: Vector.all.certificates.list)
  func `trusts the key of a certificate that is signed and valid`(vector: Vector) throws {
    let group = ReaderGroupTrust(
      groupIdentifier: [], key: try point(vector.issuerPublicKey.hex))
    let certificate = try UnverifiedReaderCertificate(compressed: vector.compressed.hex)
    let isExpired = vector.name.text.hasPrefix("expired")
    guard vector.signatureValid.flag, !isExpired else {
      let doubt: UnverifiedReaderCertificate.Doubt = isExpired ? .validity : .signature
      #expect(throws: doubt) {
        _ = try VerifiedReaderKey(certificate, issuedBy: group, at: someDay)
      }
      return
    }
    let key = try VerifiedReaderKey(certificate, issuedBy: group, at: someDay)
    #expect(key.key.uncompressed == vector.fields.publicKey.hex)
  }

  @Test(arguments: [
    ("2019-12-31T23:59:59Z", false), ("2020-01-01T00:00:00Z", true),
    ("2021-01-01T00:00:00Z", true), ("2021-01-01T00:00:01Z", false),
  ])
  func `holds from its first second to its last`(text: String, holds: Bool) throws {
    let vector = Vector.all.certificates[4]
    let certificate = try UnverifiedReaderCertificate(compressed: vector.compressed.hex)
    let group = ReaderGroupTrust(
      groupIdentifier: [], key: try point(vector.issuerPublicKey.hex))
    let key = try? VerifiedReaderKey(certificate, issuedBy: group, at: time(text))
    #expect((key != nil) == holds)
  }

  @Test(arguments: Vector.all.certificatesMalformed.list)
  func `refuses the malformed certificates`(vector: Vector) {
    expectMalformed(vector.compressed.hex)
  }

  @Test(arguments: [
    ("a default that is written out: serial", "8001 01", ""),
    ("a default that is written out: issuer", "8106 697373756572", ""),
    ("a default that is written out: notBefore", "820d 3230303130313030303030305a", ""),
    ("a default that is written out: notAfter", "830d 3439303130313030303030305a", ""),
    ("a default that is written out: subject", "8407 7375626a656374", ""),
    ("a serial with a leading zero octet", "8002 0005", ""),
    ("the serial zero", "8001 00", ""),
    ("an empty serial", "8000", ""),
    ("a serial of 21 octets", "8015 010101010101010101010101010101010101010101", ""),
    ("an empty issuer", "8100", ""),
    ("an issuer that is not UTF-8", "8102 c328", ""),
    ("a date of 15 characters", "820f 32303230303130313030303030305a", ""),
    ("a date in month 13", "820d 3230313330313030303030305a", ""),
    ("a date on 30 February", "820d 3230303233303030303030305a", ""),
    ("a date without Z", "820d 32303031303130303030303030", ""),
    ("tags out of order", "8401 41 8101 41", ""),
    ("a tag twice", "8101 41 8101 42", ""),
    ("an unknown tag", "", "8701 00"),
  ])
  func `refuses other fields than the canonical ones`(
    name: String, before: String, after: String
  ) throws {
    expectMalformed(try certificate(before: hexOctets(before), after: hexOctets(after)))
  }

  @Test func `takes every optional field that is not a default`() throws {
    let fields = hexOctets("8002 8001 8101 41 820d 3235303130313030303030305a 8401 42")
    let octets = try certificate(before: fields, after: [])
    let decoded = try CompressedCertificate.decode(octets)
    #expect(decoded.serial == [0x80, 0x01])
    #expect(decoded.subject == [0x42])
  }

  @Test func `refuses a key that is no point and a signature that is no DER`() throws {
    var octets = Vector.all.certificates[0].compressed.hex
    octets[80] ^= 1
    expectMalformed(octets)
    octets = Vector.all.certificates[0].compressed.hex
    let start = try #require(octets.firstIndex(of: 0x86))
    octets[start + 3] ^= 1
    expectMalformed(octets)
  }

  @Test func `no truncation and no changed octet gives a trusted certificate`() throws {
    let vector = Vector.all.certificates[1]
    let group = ReaderGroupTrust(
      groupIdentifier: [], key: try point(vector.issuerPublicKey.hex))
    let octets = vector.compressed.hex
    for count in octets.indices { expectMalformed(Array(octets.prefix(count))) }
    for index in octets.indices {
      var changed = octets
      changed[index] ^= 0x01
      guard let certificate = try? UnverifiedReaderCertificate(compressed: changed) else {
        continue
      }
      let key = try? VerifiedReaderKey(certificate, issuedBy: group, at: someDay)
      #expect(key == nil, "octet \(index)")
    }
  }

  /// The vectors' first certificate with other fields around key and signature.
  private func certificate(before: [UInt8], after: [UInt8]) throws -> [UInt8] {
    let vector = Vector.all.certificates[0]
    var writer = TLVWriter()
    try writer.append(0x04, [0, 0])
    var inner = TLVWriter()
    inner.append(encoded: before)
    try inner.append(0x85, [0] + vector.fields.publicKey.hex)
    try inner.append(0x86, [0] + vector.fields.signatureDER.hex)
    inner.append(encoded: after)
    try writer.append(0x30, inner.bytes)
    var outer = TLVWriter()
    try outer.append(0x30, writer.bytes)
    return outer.bytes
  }

  private func expectMalformed(
    _ octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: CompressedCertificate.Malformed.self, sourceLocation: sourceLocation) {
      _ = try UnverifiedReaderCertificate(compressed: octets)
    }
  }
}
