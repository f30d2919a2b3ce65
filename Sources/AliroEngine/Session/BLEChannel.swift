package import SecureMemory

/// The channel of notifications over BLE, once its keys exist (section 12, encryption).
package struct BLEChannel: ~Copyable {
  private var channel: ChannelPair

  /// Derives the keys of both directions.
  ///
  /// - Parameters:
  ///   - root: BleSK.
  ///   - salt: see ``PresentationConfiguration/channelSalt``.
  ///   - side: whose channel it is.
  /// - Throws: ``Failure`` when locked memory ran out.
  package init(
    root: borrowing SecretBytes, salt: [UInt8], of side: SecureChannel.Direction = .fromDevice
  ) throws(Failure) {
    channel = try ChannelPair(root: root, salt: salt, label: "BleSK", of: side)
  }

  /// Encrypts a notification to the other side.
  package mutating func seal(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    let payload = try channel.seal(
      message.payload, associatedData: message.header(count: message.payload.count))
    return BLEMessage(protocolNumber: message.protocolNumber, id: message.id, payload: payload)
  }

  /// Decrypts a notification of the other side.
  ///
  /// The associated data has the length of the plaintext.
  package mutating func open(_ message: BLEMessage) throws(Failure) -> BLEMessage {
    let count = message.payload.count - 16
    guard count >= 0,
      let payload = try channel.open(
        message.payload, associatedData: message.header(count: count))
    else { throw .message("A notification of the reader does not verify.") }
    return BLEMessage(protocolNumber: message.protocolNumber, id: message.id, payload: payload)
  }
}
