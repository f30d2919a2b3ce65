package import SecureMemory
import VaultCrypto

/// Both directions of a secure channel (section 8), as one of the two sides has it.
package struct ChannelPair: ~Copyable {
  private var sending: SecureChannel
  private var receiving: SecureChannel

  /// Takes over a key for each direction; both counters start at 1.
  ///
  /// - Parameters:
  ///   - readerKey: what the reader encrypts with.
  ///   - deviceKey: what the device encrypts with.
  ///   - side: whose channel it is.
  /// - Throws: ``Failure`` when locked memory ran out.
  package init(
    readerKey: consuming SecretBytes, deviceKey: consuming SecretBytes,
    of side: SecureChannel.Direction = .fromDevice
  ) throws(Failure) {
    // Both are made before either is stored: a half-made move-only value cannot be undone.
    let reader = try SecureChannel(key: readerKey, .fromReader)
    let device = try SecureChannel(key: deviceKey, .fromDevice)
    switch side {
    case .fromReader:
      sending = reader
      receiving = device
    case .fromDevice:
      sending = device
      receiving = reader
    }
  }

  /// Derives the keys of a second level (section 7): `<label>Reader` and `<label>Device`.
  package init(
    root: borrowing SecretBytes, salt: [UInt8], label: String,
    of side: SecureChannel.Direction = .fromDevice
  ) throws(Failure) {
    try self.init(
      readerKey: Self.key(root, salt, label + "Reader"),
      deviceKey: Self.key(root, salt, label + "Device"), of: side)
  }

  private static func key(
    _ root: borrowing SecretBytes, _ salt: [UInt8], _ info: String
  ) throws(Failure) -> SecretBytes {
    let info = Array(info.utf8)
    return try computing {
      try HKDF.sha256(inputKey: root, salt: salt.span, info: info.span, count: 32)
    }
  }

  /// Encrypts the side's next message.
  ///
  /// - Returns: ciphertext ‖ tag.
  package mutating func seal(
    _ plaintext: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8] {
    try sending.seal(plaintext, associatedData: associatedData)
  }

  /// Decrypts the other side's next message.
  ///
  /// - Returns: the plaintext; `nil` when the tag does not verify, after which the channel must go.
  package mutating func open(
    _ sealed: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8]? {
    try receiving.open(sealed, associatedData: associatedData)
  }
}
