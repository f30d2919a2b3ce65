import COpenSSL

/// The state of OpenSSL that the whole process shares.
///
/// Every use of OpenSSL in this target passes ``isPrepared`` first, so that the wiping heap is in
/// place before OpenSSL allocates anything, whatever the order of calls.
enum OpenSSLLibrary {
  /// Whether the wiping heap is installed and the library runs without a configuration file.
  ///
  /// A configuration file (its path comes from the environment) may load code and change
  /// algorithms; a vault takes neither from there.
  static let isPrepared: Bool = {
    guard latchkey_install_wiping_heap() == 1 else { return false }
    return OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
  }()

  /// Throws unless the library is prepared.
  static func prepare() throws(VaultCryptoError) {
    guard isPrepared else { throw .libraryFailure(.start) }
  }

  /// Turns the failure of a call into an error, and empties the thread's error queue.
  static func failure(_ operation: VaultCryptoError.Operation) -> VaultCryptoError {
    var isMemory = false
    while case let code = ERR_get_error(), code != 0 {
      let reason = ERR_GET_REASON(code)
      if reason == ERR_R_MALLOC_FAILURE || reason == CRYPTO_R_SECURE_MALLOC_FAILURE {
        isMemory = true
      }
    }
    return isMemory ? .memoryExhausted : .libraryFailure(operation)
  }

  /// Empties the thread's error queue after a refusal that input explains.
  static func discardErrors() {
    ERR_clear_error()
  }
}

/// A hash algorithm of OpenSSL, fetched once: an implicit fetch costs as much as a short hash.
@safe struct OpenSSLDigest: @unchecked Sendable {
  static let sha256 = OpenSSLDigest("SHA2-256", count: 32)
  static let sha1 = OpenSSLDigest("SHA1", count: 20)

  // Never freed: it lives as long as the process.
  private let algorithm: OpaquePointer?
  private let count: Int

  private init(_ name: String, count: Int) {
    unsafe algorithm = OpenSSLLibrary.isPrepared ? EVP_MD_fetch(nil, name, nil) : nil
    self.count = count
  }

  /// The digest of public octets.
  func hash(_ bytes: Span<UInt8>) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    let done = unsafe digest.withOctets { output, _ in
      unsafe bytes.withOctets { input, count in
        unsafe EVP_Digest(input, count, output, nil, algorithm, nil)
      }
    }
    // Only a broken library refuses to hash, whatever the octets, and nobody could go on from there.
    guard done == 1 else { fatalError("OpenSSL does not hash") }
    return digest
  }
}
