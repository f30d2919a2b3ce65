import SecureMemory
import VaultCrypto

/// Both directions of a secure channel (section 8).
struct ChannelPair: ~Copyable {
  private var fromReader: SecureChannel
  private var fromDevice: SecureChannel

  /// Takes over a key for each direction; both counters start at 1.
  init(readerKey: consuming SecretBytes, deviceKey: consuming SecretBytes) throws(Failure) {
    // Both are made before either is stored: a half-made move-only value cannot be undone.
    let reader = try SecureChannel(key: readerKey, .fromReader)
    let device = try SecureChannel(key: deviceKey, .fromDevice)
    fromReader = reader
    fromDevice = device
  }

  /// Derives the keys of a second level (section 7): `<label>Reader` and `<label>Device`.
  init(root: borrowing SecretBytes, salt: [UInt8], label: String) throws(Failure) {
    try self.init(
      readerKey: Self.key(root, salt, label + "Reader"),
      deviceKey: Self.key(root, salt, label + "Device"))
  }

  private static func key(
    _ root: borrowing SecretBytes, _ salt: [UInt8], _ info: String
  ) throws(Failure) -> SecretBytes {
    let info = Array(info.utf8)
    do {
      return try HKDF.sha256(inputKey: root, salt: salt.span, info: info.span, count: 32)
    } catch {
      throw Failure(computation: error)
    }
  }

  /// Encrypts the device's next message.
  ///
  /// - Returns: ciphertext ‖ tag.
  mutating func seal(
    _ plaintext: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8] {
    try fromDevice.seal(plaintext, associatedData: associatedData)
  }

  /// Decrypts the reader's next message.
  ///
  /// - Returns: the plaintext; `nil` when the tag does not verify, after which the channel must go.
  mutating func open(
    _ sealed: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8]? {
    try fromReader.open(sealed, associatedData: associatedData)
  }
}
