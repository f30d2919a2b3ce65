import COpenSSL
import Glibc
import SecureMemory
import Testing

@testable import VaultCrypto

/// Each in a process of its own: the heap starts once.
@Suite struct SecureHeapTests {
  @Test func `starts after a cipher, which prepares OpenSSL as well`() async {
    await #expect(processExitsWith: .success) {
      let cipher = try AESGCM(key: secret([UInt8](repeating: 1, count: 32)))
      let nonce = [UInt8](repeating: 2, count: 12)
      _ = try cipher.seal([3].span, nonce: nonce.span, associatedData: nonce.span)
      try SecureHeap.start(bytes: 64 << 10)
      #expect(SecureHeap.isStarted)
    }
  }

  @Test func `keys are refused until the heap is started`() async {
    await #expect(processExitsWith: .success) {
      #expect(SecureHeap.isStarted == false)
      #expect(SecureHeap.usedBytes == 0)
      let point = try P256PublicKey.decode(generator)
      let scalar = [UInt8](repeating: 1, count: 32)
      #expect(throws: VaultCryptoError.secureHeapNotStarted) { try P256PrivateKey.generate() }
      #expect(throws: VaultCryptoError.secureHeapNotStarted) { try P256PrivateKey.decode(scalar) }
      #expect(throws: VaultCryptoError.secureHeapNotStarted) {
        try P256PrivateKey(scalar: secret(scalar), publicKey: point)
      }
      // Public operations need none of it, and do not stand in the way of a later start.
      let digest = SHA256.hash([1, 2, 3].span)
      #expect(digest.count == 32)
      try SecureHeap.start(bytes: 64 << 10)
      #expect(SecureHeap.isStarted)
      _ = try P256PrivateKey.generate()
    }
  }

  @Test func `only powers of two from 64 KiB to 64 MiB are taken`() async {
    await #expect(processExitsWith: .success) {
      for bytes in [Int.min, -65_536, 0, 1, 4096, 32 << 10, 65_537, 100_000, 128 << 20, Int.max] {
        #expect(throws: VaultCryptoError.invalidParameters) { try SecureHeap.start(bytes: bytes) }
      }
      #expect(!SecureHeap.isStarted)
      try SecureHeap.start(bytes: 128 << 10)
      // Again is not an error, and changes nothing.
      try SecureHeap.start(bytes: 256 << 10)
    }
  }

  @Test(.disabled(if: isSanitized))
  func `a heap that the kernel does not lock is refused, and keys with it`() async {
    await #expect(processExitsWith: .success) {
      try OpenSSLLibrary.prepare()
      // The superuser has no limit to run into.
      if getuid() == 0 { try #require(setuid(65_534) == 0) }
      var limit = rlimit(rlim_cur: 256 << 10, rlim_max: 256 << 10)
      let isSet = unsafe setrlimit(__rlimit_resource_t(8), &limit) == 0
      try #require(isSet)
      #expect(throws: VaultCryptoError.memoryExhausted) { try SecureHeap.start(bytes: 1 << 20) }
      #expect(!SecureHeap.isStarted)
      #expect(throws: VaultCryptoError.secureHeapNotStarted) { try P256PrivateKey.generate() }
      try SecureHeap.start(bytes: 64 << 10)
      _ = try P256PrivateKey.generate()
    }
  }

  @Test func `a full heap refuses every operation on keys, and serves again after a release`() async
  {
    await #expect(processExitsWith: .success) {
      try SecureHeap.start(bytes: 64 << 10)
      let scalar = try SecretBytes(copying: [UInt8](repeating: 1, count: 32).span)
      let peer = try P256PublicKey.decode(generator)
      // Once before, so that what is set up lazily is there.
      let idle = try P256PrivateKey.generate()
      _ = try idle.sign([1])
      var keys: [P256PrivateKey] = []
      let error = #expect(throws: VaultCryptoError.self) {
        while keys.count < 10_000 { keys.append(try P256PrivateKey.generate()) }
      }
      #expect(error == .memoryExhausted)
      #expect(keys.count > 500)
      // Fill what generating leaves too small for itself.
      let fillers = Self.fill()
      for _ in 0..<3 {
        #expect(throws: VaultCryptoError.memoryExhausted) { try P256PrivateKey.generate() }
        #expect(throws: VaultCryptoError.memoryExhausted) { try P256PrivateKey(scalar: scalar) }
        #expect(throws: VaultCryptoError.memoryExhausted) {
          try P256PrivateKey(scalar: scalar, publicKey: peer)
        }
        #expect(throws: VaultCryptoError.memoryExhausted) { try idle.sign([1]) }
        #expect(throws: VaultCryptoError.memoryExhausted) { try keys[0].sign([1]) }
      }
      Self.free(fillers)
      keys.removeLast(keys.count - 100)
      for key in [idle, keys[99], try P256PrivateKey.generate()] {
        #expect(key.publicKey.accepts(try key.sign([1]), [1]))
        _ = try key.sharedSecret(with: peer)
      }
    }
  }

  @Test func `released keys give their memory back`() throws {
    try SecureHeap.start(bytes: 1 << 20)
    for _ in 0..<2000 {
      let key = try P256PrivateKey.generate()
      _ = try key.sign([1])
    }
    #expect(SecureHeap.usedBytes < 512 << 10)
  }

  @Test(.disabled(if: isSanitized)) func `OpenSSL's plain heap wipes what it takes back`() async {
    await #expect(processExitsWith: .success) {
      try OpenSSLLibrary.prepare()
      for size in [nil, 400_000, 20] {
        let left = Self.leftOver(afterResizing: size)
        #expect(left == 0)
      }
    }
  }

  /// Takes all that is left of the secure heap.
  private static func fill() -> [UInt] {
    var blocks: [UInt] = []
    while let block = unsafe CRYPTO_secure_malloc(16, nil, 0) {
      blocks.append(UInt(bitPattern: block))
    }
    ERR_clear_error()
    return blocks
  }

  private static func free(_ blocks: [UInt]) {
    for block in blocks {
      unsafe CRYPTO_secure_free(UnsafeMutableRawPointer(bitPattern: block), nil, 0)
    }
  }

  /// How many of 4000 octets of a block can still be read after it was resized, or freed.
  private static func leftOver(afterResizing count: Int?) -> Int {
    guard let block = unsafe CRYPTO_malloc(4000, nil, 0) else { return 4000 }
    unsafe memset(block, 0xA5, 4000)
    let address = UInt(bitPattern: block)
    if let count {
      unsafe resize(block, to: count)
    } else {
      unsafe CRYPTO_free(block, nil, 0)
    }
    guard let freed = unsafe UnsafeRawPointer(bitPattern: address) else { return 4000 }
    // The allocator keeps words of its own at the start of a free block, and may reuse its end.
    return (64..<4000).count { unsafe freed.load(fromByteOffset: $0, as: UInt8.self) == 0xA5 }
  }

  /// Moves a block, and wipes the new one where the old octets are to be.
  private static func resize(_ block: UnsafeMutableRawPointer, to count: Int) {
    guard let moved = unsafe CRYPTO_realloc(block, count, nil, 0), unsafe moved != block else {
      return
    }
    let kept = (0..<min(count, 4000)).count {
      unsafe moved.load(fromByteOffset: $0, as: UInt8.self) == 0xA5
    }
    #expect(kept == min(count, 4000))
    unsafe memset(moved, 0, count)
  }
}
