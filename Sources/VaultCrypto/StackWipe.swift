import CSodium

/// Wipes the stack that a library call has used below its caller.
///
/// Point multiplication and hashing spill scalars, nonces and message schedules on the stack and do
/// not clear all of it; the frames stay readable until something happens to run over them.
enum StackWipe {
  /// Wipes what OpenSSL's public-key operations reach: under 4 KiB where it was measured.
  static func afterPublicKeyOperation() {
    sodium_stackzero(8 << 10)
  }

  /// Wipes what libsodium's hashes and ciphers reach.
  static func afterHash() {
    sodium_stackzero(4 << 10)
  }
}
