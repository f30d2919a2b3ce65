import COpenSSL

/// An owned `EVP_PKEY`, freed at the end.
///
/// A key is constant after it is made: OpenSSL allows several threads to use it at once, each with
/// a context of its own.
@safe final class OpenSSLKey: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes over one reference.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  /// Whether a DER signature over a digest verifies.
  func verify(_ signature: Span<UInt8>, digest: Span<UInt8>) -> Bool {
    defer { OpenSSLLibrary.discardErrors() }
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_verify_init(context) == 1 else { return false }
    return unsafe signature.withOctets { signature, signatureCount in
      unsafe digest.withOctets { digest, count in
        unsafe EVP_PKEY_verify(context, signature, signatureCount, digest, count) == 1
      }
    }
  }

  /// Writes the x coordinate of the point shared with another key; returns whether it did.
  func agree(with peer: OpenSSLKey, into secret: inout MutableSpan<UInt8>) -> Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    // The peer is known to be on the curve, and the cofactor is 1: OpenSSL's own check would
    // multiply by the order, which costs as much as the agreement.
    guard unsafe EVP_PKEY_derive_init(context) == 1,
      unsafe EVP_PKEY_derive_set_peer_ex(context, peer.pointer, 0) == 1
    else { return false }
    var count = secret.count
    let isDerived = unsafe secret.withOctets { secret, _ in
      unsafe EVP_PKEY_derive(context, secret, &count) == 1
    }
    return isDerived && count == secret.count
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }
}
