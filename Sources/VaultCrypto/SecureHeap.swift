import COpenSSL
import Synchronization

/// OpenSSL's secure heap: the locked, guarded, undumpable memory that private scalars live in.
///
/// OpenSSL silently uses the ordinary heap while it is not started, so private keys are refused
/// until then. Its size is fixed: when it is full, key operations throw
/// ``VaultCryptoError/memoryExhausted`` and go on when keys have been released.
public enum SecureHeap {
  private static let started = Mutex(false)

  /// Reserves and locks the heap; later calls do nothing.
  ///
  /// A key at rest takes 32 or 64 bytes, an operation in progress a few hundred.
  ///
  /// - Parameter bytes: its size, a power of two from 64 KiB to 64 MiB.
  /// - Throws: ``VaultCryptoError/invalidParameters`` for another size,
  ///   ``VaultCryptoError/memoryExhausted`` when the kernel does not lock that much, and
  ///   ``VaultCryptoError/libraryFailure(_:)`` when OpenSSL was used outside this library before.
  public static func start(bytes: Int) throws(VaultCryptoError) {
    guard (64 << 10...64 << 20).contains(bytes), bytes & (bytes - 1) == 0 else {
      throw .invalidParameters
    }
    try OpenSSLLibrary.prepare()
    try started.withLock { started throws(VaultCryptoError) in
      guard !started else { return }
      // 1 is success; 2 means a heap that works but is not locked or guarded, which is none.
      guard CRYPTO_secure_malloc_init(bytes, 16) == 1 else {
        CRYPTO_secure_malloc_done()
        OpenSSLLibrary.discardErrors()
        throw .memoryExhausted
      }
      started = true
    }
  }

  /// Whether the heap is there.
  public static var isStarted: Bool { CRYPTO_secure_malloc_initialized() == 1 }

  /// How many bytes are in use.
  public static var usedBytes: Int { isStarted ? CRYPTO_secure_used() : 0 }

  /// Throws unless the heap is there.
  static func require() throws(VaultCryptoError) {
    guard isStarted else { throw .secureHeapNotStarted }
  }
}
