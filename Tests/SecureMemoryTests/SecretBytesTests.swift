import Testing

@testable import SecureMemory

// `#expect` cannot pass move-only values on, so answers are taken out first.

@Suite struct SecretBytesTests {
  private static func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test func `a new secret is zero, and written in place`() throws {
    var secret = try SecretBytes(zeroed: 33)
    #expect(Self.octets(secret) == [UInt8](repeating: 0, count: 33))
    secret.withMutableBytes { $0[32] = 7 }
    #expect(Self.octets(secret) == [UInt8](repeating: 0, count: 32) + [7])
  }

  @Test(arguments: [0, 1, 32, 64, 257, 5000])
  func `a copy is equal and of its own memory`(count: Int) throws {
    let octets = SecureRandom.bytes(count)
    var secret = try SecretBytes(copying: octets.span)
    let copy = try secret.duplicate()
    let isEqual = secret.isEqual(to: copy)
    #expect(isEqual)
    #expect(secret.count == count)
    #expect(Self.octets(copy) == octets)
    guard count > 0 else { return }
    secret.withMutableBytes { $0[count - 1] ^= 1 }
    let isStillEqual = secret.isEqual(to: copy)
    #expect(!isStillEqual)
    #expect(Self.octets(copy) == octets)
  }

  @Test func `secrets of different lengths are not equal`() throws {
    let short = try SecretBytes(zeroed: 31)
    let long = try SecretBytes(zeroed: 32)
    let isEqual = short.isEqual(to: long)
    #expect(!isEqual)
  }

  @Test func `random secrets differ`() throws {
    let first = try SecretBytes(random: 32)
    let second = try SecretBytes(random: 32)
    let isEqual = first.isEqual(to: second)
    #expect(!isEqual)
  }

  @Test func `an error of the body comes through as it is`() throws {
    struct Refusal: Error {}
    let secret = try SecretBytes(zeroed: 32)
    #expect(throws: Refusal.self) { try secret.withBytes { _ throws(Refusal) in throw Refusal() } }
  }

  @Test func `a dropped secret leaves nothing in its slot`() async {
    // In a process of its own, where nobody takes the slot at once.
    await #expect(processExitsWith: .success) {
      let address = try Self.useAndDrop()
      let pointer = unsafe UnsafeRawPointer(bitPattern: address)
      let left = (0..<200).map { unsafe pointer?.load(fromByteOffset: $0, as: UInt8.self) }
      try #require(left.allSatisfy { $0 == 0 })
    }
  }

  private static func useAndDrop() throws -> UInt {
    var secret = try SecretBytes(random: 200)
    return secret.withMutableBytes { bytes in
      bytes[0] = 1
      return unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
  }

  @Test func `random octets have the length asked for`() {
    #expect(SecureRandom.bytes(0) == [])
    #expect(SecureRandom.bytes(-1) == [])
    #expect(SecureRandom.bytes(24).count == 24)
    #expect(SecureRandom.bytes(24) != SecureRandom.bytes(24))
  }
}
