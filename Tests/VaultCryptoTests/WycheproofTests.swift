import SecureMemory
import Testing

@testable import VaultCrypto

/// The parts of a Wycheproof file that these tests use.
struct Wycheproof<Group: Decodable>: Decodable {
  let numberOfTests: Int
  let testGroups: [Group]

  static func load(_ name: String) throws -> Wycheproof {
    try Vectors.load("wycheproof/\(name)_test.json")
  }
}

enum Verdict: String, Decodable { case valid, invalid, acceptable }

@Suite struct WycheproofTests {
  struct Keyed<Case: Decodable>: Decodable {
    struct Key: Decodable { let uncompressed: Hex }
    let publicKey: Key
    let publicKeyDer: Hex
    let tests: [Case]
  }
  struct Plain<Case: Decodable>: Decodable {
    let tests: [Case]
  }
  struct Signed: Decodable {
    let tcId: Int
    let msg: Hex
    let sig: Hex
    let result: Verdict
  }

  init() throws { try SecureHeap.start(bytes: 1 << 20) }

  @Test(arguments: ["ecdsa_secp256r1_sha256", "ecdsa_secp256r1_sha256_p1363"])
  func `ECDSA accepts what is valid and nothing else`(name: String) throws {
    let file = try Wycheproof<Keyed<Signed>>.load(name)
    var count = 0
    for group in file.testGroups {
      let key = try P256PublicKey.decode(group.publicKey.uncompressed.octets)
      #expect(key.subjectPublicKeyInfo == group.publicKeyDer.octets)
      #expect(try P256PublicKey(subjectPublicKeyInfo: group.publicKeyDer.octets.span) == key)
      for test in group.tests {
        count += 1
        let octets = test.sig.octets
        let signature =
          name.hasSuffix("p1363")
          ? try? P256Signature.decode(raw: octets) : try? P256Signature.decode(der: octets)
        let isAccepted = signature.map { key.accepts($0, test.msg.octets) } ?? false
        #expect(isAccepted == (test.result == .valid), "test \(test.tcId)")
        if let signature, !name.hasSuffix("p1363") {
          #expect(signature.der == octets, "test \(test.tcId): one encoding only")
        }
      }
    }
    #expect(count == file.numberOfTests)
  }

  @Test func `ECDH agrees on valid points and refuses the rest`() throws {
    struct Agreement: Decodable {
      let tcId: Int
      let `public`: Hex
      let `private`: Hex
      let shared: Hex
      let result: Verdict
    }
    let file = try Wycheproof<Plain<Agreement>>.load("ecdh_secp256r1_ecpoint")
    var count = 0
    for test in file.testGroups.flatMap(\.tests) {
      count += 1
      // The file writes scalars as signed numbers of any length.
      let digits = test.private.octets.drop { $0 == 0 }
      let key = try P256PrivateKey.decode([UInt8](repeating: 0, count: 32 - digits.count) + digits)
      // `acceptable` is one valid point in compressed form, which no protocol here uses.
      guard test.result == .valid else {
        #expect(throws: VaultCryptoError.invalidPoint, "test \(test.tcId)") {
          try P256PublicKey.decode(test.public.octets)
        }
        continue
      }
      let peer = try P256PublicKey.decode(test.public.octets)
      #expect(octets(try key.sharedSecret(with: peer)) == test.shared.octets, "test \(test.tcId)")
    }
    #expect(count == file.numberOfTests)
  }

  @Test func `HKDF derives what is valid and refuses what is too long`() throws {
    struct Derivation: Decodable {
      let tcId: Int
      let ikm: Hex
      let salt: Hex
      let info: Hex
      let size: Int
      let okm: Hex
      let result: Verdict
    }
    let file = try Wycheproof<Plain<Derivation>>.load("hkdf_sha256")
    var count = 0
    for test in file.testGroups.flatMap(\.tests) {
      count += 1
      let key = try secret(test.ikm.octets)
      do {
        let derived = try HKDF.sha256(
          inputKey: key, salt: test.salt.octets.span, info: test.info.octets.span, count: test.size)
        #expect(test.result == .valid, "test \(test.tcId)")
        #expect(octets(derived) == test.okm.octets, "test \(test.tcId)")
      } catch {
        #expect(error == .invalidParameters, "test \(test.tcId)")
        #expect(test.result == .invalid, "test \(test.tcId)")
      }
    }
    #expect(count == file.numberOfTests)
  }

  @Test func `HMAC gives the valid tags and no other`() throws {
    struct Tagged: Decodable {
      let tcId: Int
      let key: Hex
      let msg: Hex
      let tag: Hex
      let result: Verdict
    }
    let file = try Wycheproof<Plain<Tagged>>.load("hmac_sha256")
    var count = 0
    for test in file.testGroups.flatMap(\.tests) {
      count += 1
      let code = try HMACSHA256.code(for: test.msg.octets.span, key: secret(test.key.octets))
      // Half of the file has tags cut to 16 octets.
      let isEqual = Array(code.prefix(test.tag.octets.count)) == test.tag.octets
      #expect(isEqual == (test.result == .valid), "test \(test.tcId)")
    }
    #expect(count == file.numberOfTests)
  }

  @Test func `AES-GCM opens and makes what is valid and nothing else`() throws {
    struct Group: Decodable {
      let ivSize: Int
      let keySize: Int
      let tests: [Sealed]
    }
    struct Sealed: Decodable {
      let tcId: Int
      let key: Hex
      let iv: Hex
      let aad: Hex
      let msg: Hex
      let ct: Hex
      let tag: Hex
      let result: Verdict
    }
    let file = try Wycheproof<Group>.load("aes_gcm")
    var counts = [Verdict: Int]()
    for group in file.testGroups {
      for test in group.tests {
        // 192-bit keys and nonces other than 96 bits are refused, valid or not: nothing here
        // uses them.
        guard group.keySize != 192 else {
          #expect(throws: VaultCryptoError.invalidKey) {
            _ = try AESGCM(key: secret(test.key.octets))
          }
          continue
        }
        let cipher = try AESGCM(key: secret(test.key.octets))
        let (nonce, data) = (test.iv.octets, test.aad.octets)
        let box = test.ct.octets + test.tag.octets
        let opened = Result { () throws(VaultCryptoError) in
          octets(try cipher.open(box.span, nonce: nonce.span, associatedData: data.span))
        }
        guard group.ivSize == 96 else {
          #expect(opened == .failure(.invalidParameters), "test \(test.tcId)")
          continue
        }
        counts[test.result, default: 0] += 1
        let sealed = try cipher.seal(
          test.msg.octets.span, nonce: nonce.span, associatedData: data.span)
        if test.result == .valid {
          #expect(opened == .success(test.msg.octets), "test \(test.tcId)")
          #expect(sealed == box, "test \(test.tcId)")
        } else {
          #expect(opened == .failure(.authenticationFailed), "test \(test.tcId)")
        }
      }
    }
    #expect(counts == [.valid: 79, .invalid: 54])
  }
}
