import SecureMemory
import VaultCrypto

/// The reader's end of a secure channel (section 8).
struct FuzzChannel {
  let readerKey: [UInt8]
  let deviceKey: [UInt8]
  /// The numbers of the next messages.
  var fromReader: UInt32 = 1
  var fromDevice: UInt32 = 1

  init(readerKey: [UInt8], deviceKey: [UInt8]) {
    self.readerKey = readerKey
    self.deviceKey = deviceKey
  }

  /// Derives the keys of a second level (section 7).
  init(root: [UInt8], salt: [UInt8], label: String) {
    self.init(
      readerKey: TransactionKeys.hkdf(root, salt, Array("\(label)Reader".utf8), 32),
      deviceKey: TransactionKeys.hkdf(root, salt, Array("\(label)Device".utf8), 32))
  }

  /// Encrypts what would be the reader's next message; the number moves on once it was taken.
  func sealed(_ plaintext: [UInt8], _ associatedData: [UInt8] = []) -> [UInt8] {
    Self.seal(plaintext, readerKey, Self.nonce(0, fromReader), associatedData)
  }

  /// Decrypts a message of the device; `nil` when it does not verify.
  static func open(
    _ sealed: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8] = []
  ) -> [UInt8]? {
    guard let secret = try? SecretBytes(copying: key.span), let cipher = try? AESGCM(key: secret)
    else { fatalError("no memory") }
    let opened = try? cipher.open(
      sealed.span, nonce: nonce.span, associatedData: associatedData.span)
    return opened?.withBytes { copy($0) }
  }

  static func nonce(_ direction: UInt8, _ counter: UInt32) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, direction]
      + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: counter >> $0) }
  }

  private static func seal(
    _ plaintext: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ associatedData: [UInt8]
  ) -> [UInt8] {
    guard let secret = try? SecretBytes(copying: key.span), let cipher = try? AESGCM(key: secret),
      let sealed = try? cipher.seal(
        plaintext.span, nonce: nonce.span, associatedData: associatedData.span)
    else { fatalError("no memory") }
    return sealed
  }
}
