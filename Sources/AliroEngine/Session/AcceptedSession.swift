/// The session after AUTH1: the keys of the channels that the reader may still use.
struct AcceptedSession: ~Copyable {
  /// Notifications, both ways.
  var notifications: BLEChannel
  /// EXCHANGE commands of the reader.
  var commands: SecureChannel

  /// Derives both channels.
  ///
  /// - Parameters:
  ///   - keys: the keys of AUTH1.
  ///   - channelSalt: the salt of the notification channel.
  /// - Throws: ``Failure`` when locked memory ran out.
  init(_ keys: borrowing VolatileKeys, channelSalt: [UInt8]) throws(Failure) {
    // Both are made before either is stored: a half-made move-only value cannot be undone.
    let notifications = try BLEChannel(keys, salt: channelSalt)
    let commands = try SecureChannel(key: try keys.expeditedReaderKey(), .fromReader)
    self.notifications = notifications
    self.commands = commands
  }

  /// EXCHANGE, which is not served: a command that does not verify is told from one that does, and
  /// both end the session (section 14).
  consuming func refuse(exchange data: [UInt8]) throws(Failure) -> Never {
    guard data.count >= 16, try commands.open(data) != nil else {
      throw Failure(
        statusWord: .securityStatus,
        refusal: Refusal(.protocolError, "An encrypted command of the reader does not verify."))
    }
    throw .wrongState("The reader sent EXCHANGE, which this device does not serve.")
  }
}
