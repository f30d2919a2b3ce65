import WireCoding

/// What an identifier names: its prefix, and the parameter it comes in.
package protocol BiqliIdentified: Sendable {
  /// The text before the 32 digits.
  static var prefix: String { get }
  /// The name of the parameter, as on the wire.
  static var field: String { get }
}

/// Names one installation of an app.
package enum BiqliInstance: BiqliIdentified {
  package static let prefix = "install_"
  package static let field = "instance_id"
}

/// Names one event, and is the idempotency key of its request.
package enum BiqliEvent: BiqliIdentified {
  package static let prefix = "open_"
  package static let field = "event_id"
}

/// Names one request, for those who look for it in a log.
package enum BiqliRequest: BiqliIdentified {
  package static let prefix = "req_"
  package static let field = "request_id"
}

/// `install_` and 32 digits.
package typealias BiqliInstanceID = BiqliIdentifier<BiqliInstance>
/// `open_` and 32 digits.
package typealias BiqliEventID = BiqliIdentifier<BiqliEvent>
/// `req_` and 32 digits.
package typealias BiqliRequestID = BiqliIdentifier<BiqliRequest>

/// A prefix and a random UUID (RFC 9562, version 4) without dashes.
///
/// Digits of either case are taken, as the SDKs for the two platforms differ; those made here are lower
/// case. Two identifiers are equal when their texts are.
package struct BiqliIdentifier<Kind: BiqliIdentified>: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  package let description: String

  /// Checks an identifier.
  ///
  /// - Parameters:
  ///   - text: the identifier.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ text: String, field: String = Kind.field) throws(BiqliError) {
    guard BiqliText.isWhole(text, prefix: Kind.prefix, count: 32, BiqliText.isHexDigit) else {
      throw .parameter(field, due: "\(Kind.prefix) and 32 hexadecimal digits")
    }
    description = text
  }

  /// Makes an identifier.
  ///
  /// - Parameter random: 16 random octets, used for nothing else.
  package init(random: InlineArray<16, UInt8>) {
    var octets = random
    octets[6] = octets[6] & 0x0F | 0x40
    octets[8] = octets[8] & 0x3F | 0x80
    description = Kind.prefix + Hex.encode(octets.span)
  }
}
