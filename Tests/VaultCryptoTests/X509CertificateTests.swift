import Foundation
import Testing

@testable import VaultCrypto

/// Certificates that `openssl` makes, and what becomes of them when they are changed.
@Suite struct X509CertificateTests {
  let workshop: Workshop
  let issuer: P256PublicKey

  init() throws {
    workshop = try Workshop()
    issuer = try Self.makeKey("issuer", in: workshop)
  }

  @discardableResult
  private static func makeKey(_ name: String, in workshop: Workshop) throws -> P256PublicKey {
    try workshop.openssl(
      "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "\(name).pem")
    let info = try workshop.openssl("pkey", "-in", "\(name).pem", "-pubout", "-outform", "DER")
    return try P256PublicKey(subjectPublicKeyInfo: info.output.span)
  }

  /// A certificate of a key for itself.
  private func selfSigned(
    _ key: String, days: Int = 30, digest: String = "-sha256"
  ) throws -> [UInt8] {
    let made = try workshop.openssl(
      "req", "-x509", "-new", "-key", "\(key).pem", "-subj", "/CN=\(key)", "-days", "\(days)",
      digest, "-outform", "DER")
    #expect(made.status == 0)
    return made.output
  }

  /// A certificate of a key by the issuer.
  private func issued(to key: String) throws -> [UInt8] {
    try workshop.write(try selfSigned("issuer"), to: "issuer.der")
    try workshop.openssl(
      "req", "-new", "-key", "\(key).pem", "-subj", "/CN=\(key)", "-out", "request.pem")
    return try workshop.openssl(
      "x509", "-req", "-in", "request.pem", "-CA", "issuer.der", "-CAkey", "issuer.pem",
      "-CAform", "DER", "-set_serial", "7", "-sha256", "-outform", "DER"
    ).output
  }

  @Test func `key, octets and issuer are those of the certificate`() throws {
    let subject = try Self.makeKey("subject", in: workshop)
    let der = try issued(to: "subject")
    let certificate = try X509Certificate.decode(der)
    #expect(certificate.der == der)
    #expect(certificate.publicKey == subject)
    #expect(certificate.isSigned(by: issuer))
    #expect(!certificate.isSigned(by: subject))
    #expect(try X509Certificate.decode(selfSigned("issuer")).isSigned(by: issuer))
  }

  @Test func `openssl takes an authority that is made here`() throws {
    try SecureHeap.start(bytes: 1 << 20)
    let key = try P256PrivateKey.generate()
    let certificate = try X509Certificate(
      authority: key, name: "Türen", notBefore: 1_767_225_600, notAfter: 4_102_444_800)
    #expect(certificate.publicKey == key.publicKey)
    #expect(certificate.isSigned(by: key.publicKey))
    try workshop.write(certificate.der, to: "authority.der")
    try workshop.openssl("x509", "-inform", "DER", "-in", "authority.der", "-out", "authority.pem")
    let verified = try workshop.openssl(
      "verify", "-x509_strict", "-attime", "1800000000", "-CAfile", "authority.pem", "authority.pem"
    )
    #expect(verified.status == 0)
    let shown = try workshop.openssl(
      "x509", "-in", "authority.pem", "-noout", "-text", "-nameopt", "utf8")
    let text = String(decoding: shown.output, as: UTF8.self)
    for line in [
      "Subject: CN=Türen", "Not Before: Jan  1 00:00:00 2026 GMT",
      "Not After : Jan  1 00:00:00 2100 GMT", "CA:TRUE, pathlen:0", "Certificate Sign\n",
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func `no authority is made with an impossible name or dates the wrong way round`() throws {
    try SecureHeap.start(bytes: 1 << 20)
    let key = try P256PrivateKey.generate()
    #expect(throws: VaultCryptoError.libraryFailure(.encode)) {
      try X509Certificate(authority: key, name: "", notBefore: 0, notAfter: 1)
    }
    #expect(throws: VaultCryptoError.invalidCertificate) {
      try X509Certificate(authority: key, name: "x", notBefore: 1, notAfter: 0)
    }
  }

  @Test(arguments: [1, 365, 20_000, 80_000])
  func `dates are those that openssl prints`(days: Int) throws {
    let der = try selfSigned("issuer", days: days)
    try workshop.write(der, to: "certificate.der")
    let printed = try workshop.openssl(
      "x509", "-in", "certificate.der", "-inform", "DER", "-noout", "-dates", "-dateopt",
      "iso_8601")
    let seconds = String(decoding: printed.output, as: UTF8.self).split(separator: "\n").map {
      // notBefore=2026-01-15 08:30:00Z
      let text = $0.split(separator: "=")[1].replacing(" ", with: "T")
      return (try? Date(text, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) }
    }
    let certificate = try X509Certificate.decode(der)
    #expect(seconds == [certificate.notBefore, certificate.notAfter])
    #expect(certificate.notAfter - certificate.notBefore == Int64(days) * 86_400)
  }

  @Test func `cut certificates are refused at every octet`() throws {
    let der = try selfSigned("issuer")
    for count in 0..<der.count {
      #expect(throws: VaultCryptoError.invalidCertificate) {
        try X509Certificate.decode(Array(der[..<count]))
      }
    }
  }

  @Test func `octets left over are refused`() throws {
    let der = try selfSigned("issuer")
    for rest in [[0], [0x30], [0x05, 0x00], der] {
      #expect(throws: VaultCryptoError.invalidCertificate) {
        try X509Certificate.decode(der + rest)
      }
    }
    let large = [UInt8](repeating: 0, count: X509Certificate.sizeLimit + 1)
    #expect(throws: VaultCryptoError.invalidCertificate) { try X509Certificate.decode(large) }
  }

  @Test func `no changed bit leaves a certificate that verifies`() throws {
    let der = try selfSigned("issuer")
    for index in der.indices {
      for bit in 0..<8 {
        var changed = der
        changed[index] ^= 1 << bit
        guard let certificate = try? X509Certificate.decode(changed) else { continue }
        #expect(!certificate.isSigned(by: issuer), "octet \(index), bit \(bit)")
      }
    }
  }

  @Test func `other encodings of the same certificate are refused`() throws {
    let der = try selfSigned("issuer")
    // 30 82 hh ll: the same length in three octets, and without a length.
    try #require(Array(der[..<2]) == [0x30, 0x82])
    let long = [0x30, 0x83, 0] + der[2...]
    let indefinite = [0x30, 0x80] + der[4...] + [0, 0]
    for octets in [long, indefinite] {
      #expect(throws: VaultCryptoError.invalidCertificate) { try X509Certificate.decode(octets) }
    }
  }

  @Test func `other keys are refused`() throws {
    try workshop.openssl("genrsa", "-out", "rsa.pem", "2048")
    try workshop.openssl("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", "p384.pem")
    try workshop.openssl("ecparam", "-name", "secp256k1", "-genkey", "-noout", "-out", "k1.pem")
    try workshop.openssl(
      "ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out",
      "explicit.pem")
    try workshop.openssl(
      "ec", "-in", "issuer.pem", "-conv_form", "compressed", "-out", "compressed.pem")
    for key in ["rsa", "p384", "k1", "explicit", "compressed"] {
      let der = try selfSigned(key)
      #expect(!der.isEmpty, "\(key)")
      #expect(throws: VaultCryptoError.invalidCertificate, "\(key)") {
        try X509Certificate.decode(der)
      }
    }
  }

  @Test(arguments: ["-sha384", "-sha512", "-sha1"])
  func `a signature over another hash does not count`(digest: String) throws {
    let certificate = try X509Certificate.decode(selfSigned("issuer", digest: digest))
    #expect(certificate.publicKey == issuer)
    #expect(!certificate.isSigned(by: issuer))
  }

  @Test func `dates in other forms or in the wrong order are refused`() throws {
    let der = try selfSigned("issuer")
    // Two UTCTimes: 17 0d, 13 characters, twice.
    let first = try #require(der.indices.first { der[$0...].starts(with: [0x17, 13]) })
    let second = first + 15
    try #require(der[second...].starts(with: [0x17, 13]))
    var swapped = der
    swapped.replaceSubrange(first..<second, with: der[second..<second + 15])
    swapped.replaceSubrange(second..<second + 15, with: der[first..<second])
    var changes = [swapped]
    for (offset, text) in [(14, "0"), (4, "13"), (6, "00"), (8, "24"), (2, "x"), (2, "-1")] {
      var changed = der
      changed.replaceSubrange(first + offset..<first + offset + text.count, with: text.utf8)
      changes.append(changed)
    }
    for changed in changes {
      #expect(throws: VaultCryptoError.invalidCertificate) { try X509Certificate.decode(changed) }
    }
  }
}
