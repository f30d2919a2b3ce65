import SecureMemory
import Testing

@testable import VaultCrypto

/// Hashes and key derivations against hashlib, python-cryptography and the RFCs.
@Suite struct DerivationTests {
  struct Oracle: Decodable, Sendable {
    struct Hash: Decodable { let key, message, digest: Hex }
    struct Subkey: Decodable { let key: Hex, purpose: UInt64, subkey: Hex }
    struct Password: Decodable {
      let passphrase, salt: Hex
      let operations, memoryKiB: UInt64
      let key: Hex
    }
    struct Agreed: Decodable { let secret, info, key: Hex }
    struct Digest: Decodable { let message, sha256, sha1: Hex }
    let blake2b: [Hash]
    let keyedBLAKE2b: [Hash]
    let subkeys: [Subkey]
    let argon2id: [Password]
    let x963: [Agreed]
    let digests: [Digest]
  }

  let oracle: Oracle

  init() throws { oracle = try Vectors.load("crypto/oracle.json") }

  @Test func `SHA-256 and SHA-1 equal hashlib's`() {
    for test in oracle.digests {
      let (sha256, sha1) = (
        SHA256.hash(test.message.octets.span), SHA1.hash(test.message.octets.span)
      )
      #expect(sha256 == test.sha256.octets)
      #expect(sha1 == test.sha1.octets)
    }
  }

  @Test func `BLAKE2b equals hashlib's`() {
    for test in oracle.blake2b {
      let digest = BLAKE2b.hash(test.message.octets.span)
      #expect(digest == test.digest.octets)
    }
  }

  @Test func `BLAKE2b in pieces equals hashlib's, and copies go on by themselves`() {
    for test in oracle.blake2b {
      let message = test.message.octets
      for size in [1, 7, 64, 128, 129, 4096] {
        var stream = BLAKE2bStream()
        var copies: [(BLAKE2bStream, rest: ArraySlice<UInt8>)] = []
        for start in stride(from: 0, to: message.count, by: size) {
          copies.append((stream, message[start...]))
          stream.update(message.span.extracting(start..<min(start + size, message.count)))
          _ = stream.digest()
        }
        #expect(stream.digest() == test.digest.octets)
        for (copy, rest) in copies.prefix(5) {
          var copy = copy
          copy.update(Array(rest).span)
          #expect(copy.digest() == test.digest.octets)
        }
      }
    }
  }

  @Test func `BLAKE2b of abc is the known digest`() {
    let digest = BLAKE2b.hash(Array("abc".utf8).span)
    let known: Hex = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
    #expect(digest == known.octets)
  }

  @Test func `a MAC equals hashlib's keyed BLAKE2b, whole and in pieces`() throws {
    for test in oracle.keyedBLAKE2b {
      let key = try MACKey(secret(test.key.octets))
      let message = test.message.octets
      let code = key.code(message.span)
      #expect(code == test.digest.octets)
      for size in [1, 7, 64, 128, 129] {
        var stream = try key.stream()
        for start in stride(from: 0, to: message.count, by: size) {
          stream.update(message.span.extracting(start..<min(start + size, message.count)))
        }
        let pieces = stream.finalize()
        #expect(pieces == code)
      }
    }
  }

  @Test func `a MAC is valid for its message and code alone`() throws {
    let key = try MACKey(SecretBytes(random: 32))
    let message: [UInt8] = [1, 2, 3]
    let code = key.code(message.span)
    let isValid = key.isValid(code.span, for: message.span)
    #expect(isValid)
    for index in code.indices {
      var changed = code
      changed[index] ^= 0x80
      let isChangedValid = key.isValid(changed.span, for: message.span)
      #expect(!isChangedValid)
    }
    let others: [([UInt8], [UInt8])] = [
      (code, [1, 2]), ([], message), (Array(code.dropLast()), message), (code + [0], message),
    ]
    for (code, message) in others {
      let isOtherValid = key.isValid(code.span, for: message.span)
      #expect(!isOtherValid)
    }
  }

  @Test func `subkeys equal hashlib's BLAKE2b with salt and personalisation`() throws {
    for test in oracle.subkeys {
      let master = try MasterKey(secret(test.key.octets))
      let purpose = try #require(SubkeyPurpose(rawValue: test.purpose))
      let subkey = octets(try master.subkey(purpose))
      #expect(subkey == test.subkey.octets)
    }
    #expect(SubkeyPurpose.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `Argon2id equals python-cryptography's`() throws {
    for test in oracle.argon2id {
      let parameters = Argon2id.Parameters(unchecked: test.operations, memoryKiB: test.memoryKiB)
      let key = try Argon2id.key(
        passphrase: secret(test.passphrase.octets), salt: test.salt.octets, parameters: parameters)
      #expect(octets(key) == test.key.octets)
    }
  }

  @Test func `Argon2id's cost is bounded on both sides`() throws {
    #expect(Argon2id.Parameters.moderate.operations == 3)
    #expect(Argon2id.Parameters.moderate.memoryKiB == 262_144)
    #expect(try Argon2id.Parameters(operations: 16, memoryKiB: 1 << 20).operations == 16)
    let refused: [(UInt64, UInt64)] = [
      (2, 262_144), (17, 262_144), (3, 262_143), (3, (1 << 20) + 1), (0, 0), (.max, .max),
    ]
    for (operations, memory) in refused {
      #expect(throws: VaultCryptoError.invalidParameters) {
        try Argon2id.Parameters(operations: operations, memoryKiB: memory)
      }
    }
    for count in [0, 15, 17] {
      #expect(throws: VaultCryptoError.invalidParameters) {
        _ = try Argon2id.key(
          passphrase: secret([1]), salt: [UInt8](repeating: 0, count: count), parameters: .moderate)
      }
    }
  }

  @Test func `X9.63 equals python-cryptography's`() throws {
    for test in oracle.x963 {
      let key = try X963KDF.sha256(
        sharedSecret: secret(test.secret.octets), sharedInfo: test.info.octets.span,
        count: test.key.octets.count)
      #expect(octets(key) == test.key.octets)
    }
  }

  @Test(arguments: [Int.min, -1, 0, 8161, Int.max])
  func `derivations refuse counts out of range`(count: Int) {
    #expect(throws: VaultCryptoError.invalidParameters) {
      let nothing: [UInt8] = []
      _ = try HKDF.sha256(
        inputKey: secret([1]), salt: nothing.span, info: nothing.span, count: count)
    }
    #expect(throws: VaultCryptoError.invalidParameters) {
      let nothing: [UInt8] = []
      _ = try X963KDF.sha256(sharedSecret: secret([1]), sharedInfo: nothing.span, count: count)
    }
  }

  @Test func `HKDF gives the vectors of RFC 5869`() throws {
    let sequence = { (range: ClosedRange<UInt8>) in [UInt8](range) }
    let vectors: [(key: [UInt8], salt: [UInt8], info: [UInt8], derived: Hex)] = [
      (
        [UInt8](repeating: 0x0B, count: 22), sequence(0...0x0C), sequence(0xF0...0xF9),
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      (
        sequence(0...0x4F), sequence(0x60...0xAF), sequence(0xB0...0xFF),
        """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
        59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
        cc30c58179ec3e87c14c01d5c1f3434f1d87
        """
      ),
      (
        [UInt8](repeating: 0x0B, count: 22), [], [],
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
      ),
    ]
    for vector in vectors {
      let derived = try HKDF.sha256(
        inputKey: secret(vector.key), salt: vector.salt.span, info: vector.info.span,
        count: vector.derived.octets.count)
      #expect(octets(derived) == vector.derived.octets)
    }
  }
}
