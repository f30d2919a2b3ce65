/// One message of the Aliro channel: `protocol 1 ‖ id 1 ‖ payload length 2 ‖ payload` (section 12).
package struct BLEMessage: Hashable, Sendable {
  /// The longest message that is looked at, header included.
  static let sizeLimit = 4096

  /// Protocol and id of the messages that this path knows.
  enum Kind {
    /// Reader to device: a command APDU.
    case command
    /// Device to reader: a response APDU.
    case response
    /// Reader to device: busy or a general error.
    case event
    /// A message of the ranging set-up, or one of that protocol that is not known.
    case ranging(RangingMessage.Kind?)
    /// Reader to device: how ranging stands.
    case rangingNotification
    /// Reader to device: something that this device has no use for.
    case other
    case readerStatusChanged
    case accessProtocolCompleted
    /// Device to reader only, so wrong when received.
    case deviceNotification
    /// Not a protocol of Aliro 1.0.
    case unknown
  }

  /// 0 for commands and answers, 1 for the ranging set-up, 2 for notifications.
  package let protocolNumber: UInt8
  /// Which message of the protocol.
  package let id: UInt8
  package let payload: [UInt8]

  package init(protocolNumber: UInt8, id: UInt8, payload: [UInt8]) {
    self.protocolNumber = protocolNumber
    self.id = id
    self.payload = payload
  }

  /// Reads octets that are exactly one message.
  package init(_ bytes: Span<UInt8>) throws(Failure) {
    guard bytes.count >= 4, bytes.count <= Self.sizeLimit,
      Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
    else { throw .message("The message is not one whole message of the Aliro channel.") }
    self.init(
      protocolNumber: bytes[0], id: bytes[1], payload: Array(copying: bytes.extracting(4...)))
  }

  var kind: Kind {
    switch (protocolNumber, id) {
    case (0, 0): .command
    case (0, 1): .response
    case (1, let id): .ranging(RangingMessage.Kind(id: id))
    case (2, 0): .event
    case (2, 1): .rangingNotification
    case (2, 2): .readerStatusChanged
    case (2, 3): .accessProtocolCompleted
    case (2, 4...6): .deviceNotification
    // Supplementary messages, of which there is time synchronisation alone and nothing here that
    // it would change; third-party messages; notifications not known here.
    case (2...4, _): .other
    default: .unknown
    }
  }

  /// The octets on the channel.
  package var encoded: [UInt8] {
    header(count: payload.count) + payload
  }

  /// The header of the message as if its payload had `count` octets.
  func header(count: Int) -> [UInt8] {
    // Nothing here writes a payload that is longer than a message can be.
    let count = UInt16(truncatingIfNeeded: count)
    return [protocolNumber, id, UInt8(count >> 8), UInt8(count & 0xFF)]
  }

  /// A response APDU.
  static func response(_ response: ResponseAPDU) -> BLEMessage {
    BLEMessage(protocolNumber: 0, id: 1, payload: response.encoded)
  }
}
