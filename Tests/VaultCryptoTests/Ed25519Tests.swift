import Foundation
import SecureMemory
import Testing

@testable import VaultCrypto

/// Ed25519 against the vectors of its RFC and against the openssl command.
@Suite struct Ed25519Tests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let seed, key, message, signature: Hex
  }

  /// RFC 8032, 7.1, without the one of 1023 octets.
  static let published = [
    Vector(
      testDescription: "TEST 1",
      seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
      signature: """
        e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c
        f9b46bd25bf5f0595bbe24655141438e7a100b
        """),
    Vector(
      testDescription: "TEST 2",
      seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      key: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
      signature: """
        92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0
        f11d8c387b2eaeb4302aeeb00d291612bb0c00
        """),
    Vector(
      testDescription: "TEST 3",
      seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      key: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
      signature: """
        6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f76098
        4dc6594a7c15e9716ed28dc027beceea1ec40a
        """),
    Vector(
      testDescription: "TEST SHA(abc)",
      seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      key: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: """
        ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3
        feebbd454d4423643ce80e2a9ac94fa54ca49f
        """,
      signature: """
        dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c664
        31e0303dca179c138ac17ad9bef1177331a704
        """),
  ]

  /// Whether a key made a signature, all as arrays.
  private static func accepts(_ key: [UInt8], _ signature: [UInt8], _ message: [UInt8]) throws
    -> Bool
  {
    try Ed25519PublicKey(key).isValidSignature(signature.span, message: message.span)
  }

  private static func sign(
    _ seed: [UInt8], _ message: [UInt8]
  ) throws -> (key: [UInt8], signature: [UInt8]) {
    let key = try Ed25519PrivateKey(seed: secret(seed))
    return (key.publicKey.octets, try key.signature(message: message.span))
  }

  @Test(arguments: published) func `signs as the RFC does`(_ vector: Vector) throws {
    let made = try Self.sign(vector.seed.octets, vector.message.octets)
    #expect(made.key == vector.key.octets)
    #expect(made.signature == vector.signature.octets)
    #expect(try Self.accepts(made.key, made.signature, vector.message.octets))
  }

  @Test(arguments: published) func `a changed bit is never valid`(_ vector: Vector) throws {
    let (key, message) = (vector.key.octets, vector.message.octets)
    let signature = vector.signature.octets
    for index in signature.indices {
      var changed = signature
      changed[index] ^= 1 << UInt8(index % 8)
      #expect(try !Self.accepts(key, changed, message), "octet \(index)")
    }
    for index in key.indices {
      var changed = key
      changed[index] ^= 1 << UInt8(index % 8)
      #expect(try !Self.accepts(changed, signature, message), "octet \(index) of the key")
    }
    #expect(try !Self.accepts(key, signature, message + [0]))
  }

  /// The group order, little-endian; a signature whose second half has it added is the same number.
  private static let order: Hex = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"

  @Test func `a second form of a signature, and keys of small order, are refused`() throws {
    let vector = Self.published[1]
    var signature = vector.signature.octets
    var carry = 0
    for (index, octet) in Self.order.octets.enumerated() {
      let sum = Int(signature[32 + index]) + Int(octet) + carry
      signature[32 + index] = UInt8(sum & 0xFF)
      carry = sum >> 8
    }
    #expect(carry == 0)
    #expect(try !Self.accepts(vector.key.octets, signature, vector.message.octets))
    // With the identity as key and as nonce, zero would sign everything.
    let identity: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    let nothing = identity + [UInt8](repeating: 0, count: 32)
    #expect(try !Self.accepts(identity, nothing, [1, 2, 3]))
  }

  @Test func `other lengths are refused`() throws {
    for count in [0, 31, 33, 64] {
      let octets = [UInt8](repeating: 1, count: count)
      #expect(throws: VaultCryptoError.invalidKey) {
        _ = try Ed25519PrivateKey(seed: secret(octets)).publicKey
      }
      #expect(throws: VaultCryptoError.invalidKey) { try Ed25519PublicKey(octets) }
    }
    let vector = Self.published[0]
    for count in [0, 63, 65] {
      let signature = Array((vector.signature.octets + [0]).prefix(count))
      #expect(try !Self.accepts(vector.key.octets, signature, []))
    }
  }

  @Test func `openssl makes the same signatures, and each accepts the other's`() throws {
    let shop = try Workshop()
    for size in [1, 31, 700, 5_000] {
      let seed = SecureRandom.bytes(32)
      let message = SecureRandom.bytes(size)
      let made = try Self.sign(seed, message)
      // RFC 8410: the seed in an octet string within an octet string; the key as a bit string.
      let der: Hex = "302e020100300506032b657004220420"
      let info: Hex = "302a300506032b6570032100"
      try shop.write(der.octets + seed, to: "private.der")
      try shop.write(info.octets + made.key, to: "public.der")
      try shop.write(message, to: "message")
      try shop.write(made.signature, to: "signature")
      let derived = try shop.openssl(
        "pkey", "-in", "private.der", "-inform", "DER", "-pubout", "-outform", "DER")
      #expect(derived.output == info.octets + made.key)
      let signed = try shop.openssl(
        "pkeyutl", "-sign", "-rawin", "-inkey", "private.der", "-keyform", "DER", "-in", "message")
      #expect(signed.status == 0 && signed.output == made.signature, "\(size) octets")
      let verified = try shop.openssl(
        "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "public.der", "-keyform", "DER",
        "-sigfile", "signature", "-in", "message")
      #expect(verified.status == 0, "\(size) octets")
    }
  }
}
