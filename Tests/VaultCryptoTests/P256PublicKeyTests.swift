import Testing

@testable import VaultCrypto

@Suite struct P256PublicKeyTests {
  @Test func `a point keeps its octets`() throws {
    let key = try P256PublicKey.decode(generator)
    #expect(key.uncompressed == generator)
    #expect(key.x == Array(generator[1..<33]))
  }

  @Test func `other forms and points off the curve are refused`() {
    let isOdd = generator[64] & 1
    let compressed = [2 + isOdd] + generator[1..<33]
    var offCurve = generator
    offCurve[64] ^= 1
    // x or y at or above the field's prime, the point otherwise the same.
    let prime: Hex = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
    let bad: [String: [UInt8]] = [
      "nothing": [],
      "infinity": [0],
      "infinity, padded": [UInt8](repeating: 0, count: 65),
      "zero coordinates": [4] + [UInt8](repeating: 0, count: 64),
      "compressed": compressed,
      "hybrid": [6 + isOdd] + generator.dropFirst(),
      "hybrid of the other sign": [7 - isOdd] + generator.dropFirst(),
      "no form octet": Array(generator.dropFirst()),
      "one octet short": Array(generator.dropLast()),
      "one octet long": generator + [0],
      "off the curve": offCurve,
      "x is the prime": [4] + prime.octets + generator[33...],
      "y is the prime": [4] + generator[1..<33] + prime.octets,
      "all ones": [4] + [UInt8](repeating: 0xFF, count: 64),
    ]
    for (name, octets) in bad {
      #expect(throws: VaultCryptoError.invalidPoint, "\(name)") { try P256PublicKey.decode(octets) }
    }
  }

  @Test func `only the one SubjectPublicKeyInfo of a point is taken`() throws {
    let key = try P256PublicKey.decode(generator)
    let info = key.subjectPublicKeyInfo
    #expect(info.count == 91)
    #expect(try P256PublicKey(subjectPublicKeyInfo: info.span) == key)
    for count in 0..<info.count {
      #expect(throws: VaultCryptoError.invalidKey) {
        try P256PublicKey(subjectPublicKeyInfo: info.span.extracting(0..<count))
      }
    }
    for index in 0..<26 {
      var changed = info
      changed[index] ^= 1
      #expect(throws: VaultCryptoError.invalidKey) {
        try P256PublicKey(subjectPublicKeyInfo: changed.span)
      }
    }
    #expect(throws: VaultCryptoError.invalidKey) {
      try P256PublicKey(subjectPublicKeyInfo: (info + [0]).span)
    }
    var offCurve = info
    offCurve[90] ^= 1
    #expect(throws: VaultCryptoError.invalidPoint) {
      try P256PublicKey(subjectPublicKeyInfo: offCurve.span)
    }
  }

  @Test func `a SubjectPublicKeyInfo is the one that openssl writes`() throws {
    let workshop = try Workshop()
    try workshop.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
    let info = try workshop.openssl("pkey", "-in", "key.pem", "-pubout", "-outform", "DER").output
    #expect(try P256PublicKey(subjectPublicKeyInfo: info.span).subjectPublicKeyInfo == info)
    // Another curve, and the same curve with its parameters written out.
    try workshop.openssl("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", "p384.pem")
    try workshop.openssl(
      "ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out",
      "explicit.pem")
    for name in ["p384.pem", "explicit.pem"] {
      let other = try workshop.openssl("pkey", "-in", name, "-pubout", "-outform", "DER").output
      #expect(other.count > 91, "\(name)")
      #expect(throws: VaultCryptoError.invalidKey, "\(name)") {
        try P256PublicKey(subjectPublicKeyInfo: other.span)
      }
    }
  }

  @Test func `a digest of another length never verifies`() throws {
    let key = try P256PublicKey.decode(generator)
    let signature = try P256Signature.decode(raw: [UInt8](repeating: 1, count: 64))
    for count in [0, 20, 31, 33, 64] {
      let digest = [UInt8](repeating: 0, count: count)
      let isValid = key.isValidSignature(signature, digest: digest.span)
      #expect(!isValid)
    }
  }
}
