import COpenSSL
import SecureMemory

/// One run of OpenSSL's AES-GCM.
@safe struct AESGCMContext: ~Copyable {
  private let pointer: OpaquePointer

  /// Fetched ciphers; they live as long as the process.
  @safe private struct Algorithm: @unchecked Sendable {
    static let aes128 = Algorithm("AES-128-GCM")
    static let aes256 = Algorithm("AES-256-GCM")
    let pointer: OpaquePointer?

    init(_ name: String) {
      unsafe pointer = OpenSSLLibrary.isPrepared ? unsafe EVP_CIPHER_fetch(nil, name, nil) : nil
    }
  }

  /// Makes a context with no key yet.
  init() throws(VaultCryptoError) {
    // A context takes memory of OpenSSL's, before the cipher is fetched.
    try OpenSSLLibrary.prepare()
    guard let pointer = unsafe EVP_CIPHER_CTX_new() else { throw OpenSSLLibrary.failure(.encrypt) }
    unsafe self.pointer = unsafe pointer
  }

  /// Sets the key and the nonce; `octets` is how much will be processed.
  borrowing func start(
    key: borrowing SecretBytes, nonce: Span<UInt8>, isEncrypting: Bool, octets: Int
  ) throws(VaultCryptoError) {
    guard nonce.count == 12, octets <= 1 << 30 else { throw .invalidParameters }
    let algorithm = key.count == 16 ? Algorithm.aes128 : Algorithm.aes256
    let isSet = key.withBytes { key in
      unsafe key.withOctets { key, _ in
        unsafe nonce.withOctets { nonce, _ in
          unsafe EVP_CipherInit_ex2(
            pointer, algorithm.pointer, key, nonce, isEncrypting ? 1 : 0, nil) == 1
        }
      }
    }
    guard isSet else { throw OpenSSLLibrary.failure(.encrypt) }
  }

  /// Adds associated data, all at once.
  borrowing func authenticate(_ data: Span<UInt8>) -> Bool {
    guard !data.isEmpty else { return true }
    guard data.count <= 1 << 30 else { return false }
    var written: Int32 = 0
    return unsafe data.withOctets { data, count in
      unsafe EVP_CipherUpdate(pointer, nil, &written, data, Int32(count)) == 1
    }
  }

  /// Processes the text, all at once; the output has room for as many octets.
  borrowing func update(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    // OpenSSL takes an update with no octets for the end of the run.
    guard !input.isEmpty else { return true }
    guard output.count >= input.count else { return false }
    var written: Int32 = 0
    let isDone = unsafe input.withOctets { input, count in
      unsafe output.withOctets { output, _ in
        unsafe EVP_CipherUpdate(pointer, output, &written, input, Int32(count)) == 1
      }
    }
    return isDone && Int(written) == input.count
  }

  /// Ends the run; when decrypting, tells whether the tag agrees.
  borrowing func finish() -> Bool {
    // A stream mode writes nothing here.
    var nothing = [UInt8](repeating: 0, count: 16)
    var written: Int32 = 0
    return unsafe EVP_CipherFinal_ex(pointer, &nothing, &written) == 1
  }

  /// Sets the tag to expect.
  borrowing func setTag(_ tag: Span<UInt8>) -> Bool {
    var copy = [UInt8](copying: tag)
    return unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, 16, &copy) == 1
  }

  /// Writes the 16-octet tag.
  borrowing func writeTag(to output: inout MutableSpan<UInt8>, at offset: Int) -> Bool {
    guard output.count - offset == 16 else { return false }
    return unsafe output.withOctets { output, _ in
      unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, 16, output + offset) == 1
    }
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(pointer)
    StackWipe.afterHash()
  }
}
