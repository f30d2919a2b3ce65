import SecureMemory
import VaultCrypto

/// The channel of notifications over BLE, once its keys exist (section 12, encryption).
struct BLEChannel: ~Copyable {
  private var fromReader: SecureChannel
  private var fromDevice: SecureChannel

  /// Derives the keys of both directions.
  ///
  /// - Parameters:
  ///   - keys: the keys of AUTH1.
  ///   - salt: the reader's version list as read over GATT, then the selected version. Of the two
  ///     forms in the sources this is the one that has been seen to work (section 15.1).
  /// - Throws: ``Failure`` when locked memory ran out.
  init(_ keys: borrowing VolatileKeys, salt: [UInt8]) throws(Failure) {
    let root = try keys.bleKey()
    // Both are made before either is stored: a half-made move-only value cannot be undone.
    let reader = try SecureChannel(key: Self.key(root, salt, "BleSKReader"), .fromReader)
    let device = try SecureChannel(key: Self.key(root, salt, "BleSKDevice"), .fromDevice)
    fromReader = reader
    fromDevice = device
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

  /// Encrypts a notification to the reader.
  mutating func seal(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    let payload = try fromDevice.seal(
      message.payload, associatedData: message.header(count: message.payload.count))
    return BLEMessage(protocolNumber: message.protocolNumber, id: message.id, payload: payload)
  }

  /// Decrypts a notification of the reader.
  ///
  /// The associated data has the length of the plaintext.
  mutating func open(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    let count = message.payload.count - 16
    guard count >= 0,
      let payload = try fromReader.open(
        message.payload, associatedData: message.header(count: count))
    else { throw .message("A notification of the reader does not verify.") }
    return BLEMessage(protocolNumber: message.protocolNumber, id: message.id, payload: payload)
  }
}
