import COpenSSL
import Synchronization

/// A signing context of one key, to be used by one thread at a time.
@safe final class SigningContext: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Makes a context; it holds a reference to the key.
  init(for key: OpenSSLKey) throws(VaultCryptoError) {
    guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else {
      throw OpenSSLLibrary.failure(.sign)
    }
    unsafe self.pointer = unsafe pointer
    guard unsafe EVP_PKEY_sign_init(pointer) == 1 else { throw OpenSSLLibrary.failure(.sign) }
  }

  /// Signs a digest and returns the length of the DER signature, or `nil` on failure.
  func sign(_ digest: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    var count = output.count
    let isDone = unsafe output.withOctets { output, _ in
      unsafe digest.withOctets { digest, digestCount in
        unsafe EVP_PKEY_sign(pointer, output, &count, digest, digestCount) == 1
      }
    }
    return isDone && count <= output.count ? count : nil
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }
}

/// The idle signing contexts of one key.
///
/// Setting a context up costs a tenth of a signature, so a few are kept. They hold no secret of
/// their own.
final class SigningContextPool: Sendable {
  private static let limit = 4
  private let idle = Mutex<[SigningContext]>([])

  /// Takes an idle context, or makes one.
  func take(for key: OpenSSLKey) throws(VaultCryptoError) -> SigningContext {
    if let context = idle.withLock({ $0.popLast() }) { return context }
    return try SigningContext(for: key)
  }

  /// Keeps a context for the next signature.
  func give(back context: SigningContext) {
    idle.withLock { if $0.count < Self.limit { $0.append(context) } }
  }
}
