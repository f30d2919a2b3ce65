import COpenSSL
import Glibc
import SecureMemory
import Testing

@testable import VaultCrypto

/// Where private scalars are in memory while a key lives, and that none is left after it.
///
/// A sanitizer's allocator keeps freed blocks in places of its own.
@Suite(.disabled(if: isSanitized)) struct ScalarMemoryTests {
  /// Watches a scalar: whole, and its halves, as a partly overwritten copy still gives it away.
  private static func watch(_ scalar: borrowing SecretBytes) -> MemoryScanner {
    let scanner = MemoryScanner()
    scalar.withBytes { bytes in
      scanner.add(bytes)
      scanner.add(bytes.extracting(0..<16))
      scanner.add(bytes.extracting(16..<32))
    }
    return scanner
  }

  @Test func `the scanner finds a scalar that was left behind`() async {
    await #expect(processExitsWith: .success) {
      let scalar = try SecretBytes(random: 32)
      let scanner = Self.watch(scalar)
      let plain = scalar.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      try #require(scanner.addresses().count >= 6)
      _ = plain.count
    }
  }

  @Test func `a live key's scalar is in the secure heap alone, and once`() async {
    await #expect(processExitsWith: .success) {
      try SecureHeap.start(bytes: 1 << 20)
      let key = try P256PrivateKey.generate()
      let scanner = Self.watch(try key.scalar())
      try Self.use(key)
      let hits = scanner.addresses()
      let plain = hits.filter {
        unsafe CRYPTO_secure_allocated(UnsafeRawPointer(bitPattern: $0)) != 1
      }
      try #require(!hits.isEmpty)
      try #require(plain.isEmpty)
      withExtendedLifetime(key) {}
    }
  }

  @Test func `no scalar is left after its key`() async {
    await #expect(processExitsWith: .success) {
      try SecureHeap.start(bytes: 1 << 20)
      let scanner = try Self.workAndForget()
      let hits = scanner.addresses()
      try #require(hits.isEmpty)
    }
  }

  @inline(never)
  private static func workAndForget() throws -> MemoryScanner {
    let key = try P256PrivateKey.generate()
    let scalar = try key.scalar()
    let scanner = watch(scalar)
    try use(key)
    let again = try P256PrivateKey(scalar: scalar)
    try use(again)
    try use(P256PrivateKey(scalar: scalar, publicKey: again.publicKey))
    return scanner
  }

  @inline(never)
  private static func use(_ key: P256PrivateKey) throws {
    let peer = try P256PrivateKey.generate()
    let digest = [UInt8](repeating: 1, count: 32)
    for _ in 0..<20 {
      _ = try key.signature(digest: digest.span)
      _ = try key.sharedSecret(with: peer.publicKey)
      _ = try key.scalar()
    }
  }
}
