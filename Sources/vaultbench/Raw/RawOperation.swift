import COpenSSL

/// What the vault's work is compared with: one operation of OpenSSL on P-256, with nothing around it.
enum RawOperation: String, CaseIterable {
  /// A signature of a digest.
  case sign
  /// The verification of one.
  case verify
  /// A new key pair.
  case generate
  /// The other side's point taken in, and the shared secret with it.
  case agree
}

/// Carries operations out with throw-away keys.
@safe final class RawPrimitives {
  private let key: OpaquePointer
  private let signing: OpaquePointer
  private let verifying: OpaquePointer
  private let agreeing: OpaquePointer
  private let digest = [UInt8](repeating: 0xAA, count: 32)
  private var signature = [UInt8](repeating: 0, count: 72)
  private var secret = [UInt8](repeating: 0, count: 32)
  private var point = [UInt8](repeating: 0, count: 65)

  init() throws(BenchFailure) {
    guard let model = unsafe Self.generate(),
      let key = unsafe latchkey_p256_generate(model, &point),
      let signing = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      unsafe EVP_PKEY_sign_init(signing) == 1,
      let verifying = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      unsafe EVP_PKEY_verify_init(verifying) == 1,
      let agreeing = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      unsafe EVP_PKEY_derive_init(agreeing) == 1
    else { throw BenchFailure("OpenSSL makes no P-256 key") }
    unsafe EVP_PKEY_free(model)
    unsafe self.key = unsafe key
    unsafe self.signing = unsafe signing
    unsafe self.verifying = unsafe verifying
    unsafe self.agreeing = unsafe agreeing
    try sign()
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(signing)
    unsafe EVP_PKEY_CTX_free(verifying)
    unsafe EVP_PKEY_CTX_free(agreeing)
    unsafe EVP_PKEY_free(key)
  }

  private static func generate() -> OpaquePointer? {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_group_name(context, SN_X9_62_prime256v1) == 1,
      unsafe EVP_PKEY_keygen(context, &key) == 1
    else { return nil }
    return unsafe key
  }

  /// Carries one operation out.
  func carryOut(_ operation: RawOperation) throws(BenchFailure) {
    switch operation {
    case .sign: try sign()
    case .verify:
      // The signature that was made last.
      try check(
        unsafe EVP_PKEY_verify(verifying, signature, signature.count, digest, digest.count) == 1)
    case .generate:
      let made = unsafe latchkey_p256_generate(key, &point)
      try check(unsafe made != nil)
      unsafe EVP_PKEY_free(made)
    case .agree: try agree()
    }
  }

  private func sign() throws(BenchFailure) {
    var count = 72
    var octets = [UInt8](repeating: 0, count: 72)
    try check(unsafe EVP_PKEY_sign(signing, &octets, &count, digest, digest.count) == 1)
    octets.removeLast(72 - count)
    signature = octets
  }

  private func agree() throws(BenchFailure) {
    guard let peer = unsafe latchkey_p256_public(key, point) else {
      throw BenchFailure("OpenSSL refuses a point")
    }
    defer { unsafe EVP_PKEY_free(peer) }
    var count = 32
    try check(
      unsafe EVP_PKEY_derive_set_peer(agreeing, peer) == 1
        && EVP_PKEY_derive(agreeing, &secret, &count) == 1)
  }

  private func check(_ isDone: Bool) throws(BenchFailure) {
    guard isDone else { throw BenchFailure("OpenSSL failed") }
  }
}
