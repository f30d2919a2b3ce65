import Testing

@testable import VaultCrypto

@Suite struct AES128Tests {
  private func encrypt(_ block: String, _ key: String) throws -> [UInt8] {
    let block = Hex(block).octets
    return octets(try AES128.encrypt(block: block.span, key: secret(Hex(key).octets)))
  }

  private func decrypt(_ block: String, _ key: String) throws -> [UInt8] {
    let block = Hex(block).octets
    return octets(try AES128.decrypt(block: block.span, key: secret(Hex(key).octets)))
  }

  /// FIPS 197, appendices B and C.1, and the four blocks of NIST SP 800-38A, F.1.1.
  @Test(arguments: [
    (
      "3243f6a8885a308d313198a2e0370734", "2b7e151628aed2a6abf7158809cf4f3c",
      "3925841d02dc09fbdc118597196a0b32"
    ),
    (
      "00112233445566778899aabbccddeeff", "000102030405060708090a0b0c0d0e0f",
      "69c4e0d86a7b0430d8cdb78070b4c55a"
    ),
    (
      "6bc1bee22e409f96e93d7e117393172a", "2b7e151628aed2a6abf7158809cf4f3c",
      "3ad77bb40d7a3660a89ecaf32466ef97"
    ),
    (
      "ae2d8a571e03ac9c9eb76fac45af8e51", "2b7e151628aed2a6abf7158809cf4f3c",
      "f5d3d58503b9699de785895a96fdbaaf"
    ),
    (
      "30c81c46a35ce411e5fbc1191a0a52ef", "2b7e151628aed2a6abf7158809cf4f3c",
      "43b1cd7f598ece23881b00e3ed030688"
    ),
    (
      "f69f2445df4f9b17ad2b417be66c3710", "2b7e151628aed2a6abf7158809cf4f3c",
      "7b0c785e27e8ad3f8223207104725dd4"
    ),
  ])
  func `encrypts the blocks of the standards and back`(
    block: String, key: String, encrypted: String
  ) throws {
    #expect(try encrypt(block, key) == Hex(encrypted).octets)
    #expect(try decrypt(encrypted, key) == Hex(block).octets)
  }

  @Test func `runs the inverse cipher as the openssl command does`() throws {
    let workshop = try Workshop()
    // A last octet of 1 to 16 would be taken for padding by a cipher that looks for it.
    for last in UInt8(0)...17 {
      let key = (0..<16).map { UInt8($0) &* 37 &+ last }
      let block = (0..<15).map { UInt8($0) &* 91 &+ last } + [last]
      try workshop.write(block, to: "block")
      let inverse = try workshop.openssl(
        "enc", "-d", "-aes-128-ecb", "-nopad", "-K", key.hex, "-in", "block")
      #expect(inverse.status == 0)
      #expect(try decrypt(block.hex, key.hex) == inverse.output)
      let forward = try workshop.openssl(
        "enc", "-aes-128-ecb", "-nopad", "-K", key.hex, "-in", "block")
      #expect(try encrypt(block.hex, key.hex) == forward.output)
    }
  }

  @Test func `takes one block and one key size`() {
    let key = "000102030405060708090a0b0c0d0e0f"
    for block in ["", "00", "00112233445566778899aabbccddee", key + "00", key + key] {
      #expect(throws: VaultCryptoError.invalidParameters) { _ = try encrypt(block, key) }
      #expect(throws: VaultCryptoError.invalidParameters) { _ = try decrypt(block, key) }
    }
    for wrong in ["", "00", String(key.dropLast(2)), key + key] {
      #expect(throws: VaultCryptoError.invalidKey) { _ = try encrypt(key, wrong) }
      #expect(throws: VaultCryptoError.invalidKey) { _ = try decrypt(key, wrong) }
    }
  }
}
