import WireCoding

/// The name of a presentation session: sixteen random octets, 32 hexadecimal digits on the wire.
public struct PresentationID: Hashable, Sendable, CustomStringConvertible {
  /// The octets of an identifier.
  public static let count = 16

  /// The octets.
  public let octets: [UInt8]

  /// Makes an identifier.
  ///
  /// - Parameter octets: sixteen random octets.
  public init(_ octets: [UInt8]) {
    self.octets = octets
  }

  /// The digits.
  public var description: String { Hex.encode(octets.span) }
}
