import WireCoding

/// What a lock shows right after it was connected to: 20 octets, good for that connection alone.
///
/// It is not secret. Whoever hands it in may have invented it; nothing in it tells.
package struct NokeSession: Hashable, Sendable, CustomStringConvertible {
  /// How many octets a session has.
  package static let count = 20

  /// The octets.
  package let octets: [UInt8]

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - text: exactly 40 hexadecimal digits of either case.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``NokeError/parameter(_:due:)``.
  package init(_ text: String, field: String = "session") throws(NokeError) {
    octets = try NokeText.octets(text, count: Self.count, field: field)
  }

  /// The voltage of the lock's battery in millivolts, from octets 2 and 3, low octet first.
  package var batteryMillivolts: Int { Int(octets[2]) | Int(octets[3]) << 8 }

  /// The digits in lower case.
  package var description: String { Hex.encode(octets.span) }
}
