import WireCoding

/// The name of a box: four octets, printed on it as `C1-08-F0-94`.
///
/// Tapkey calls the same box by a physical lock ID, `BADBCPCU`: the base64 of the number of octets, in
/// two octets with the low one first, and of the octets. Each name has one text of either kind; the
/// vendor's libraries take more, and make the name of no box of it.
package struct FlinkeyBoxID: Hashable, Sendable, CustomStringConvertible {
  /// How many octets the name of a box has.
  private static let count: UInt8 = 4

  /// The four octets.
  package let octets: [UInt8]

  /// Reads a box ID.
  ///
  /// - Parameters:
  ///   - text: four pairs of upper-case hexadecimal digits with dashes between them.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``FlinkeyError/parameter(_:due:)``.
  package init(_ text: String, field: String = "box_id") throws(FlinkeyError) {
    let characters = Array(text.utf8.prefix(12))
    let octets = characters.count == 11 ? Self.octets(characters) : nil
    guard let octets else {
      throw .parameter(field, due: "four pairs of hexadecimal digits such as C1-08-F0-94")
    }
    self.octets = octets
  }

  /// Reads a physical lock ID.
  ///
  /// - Parameters:
  ///   - text: eight characters of base64, for the octets 4, 0 and the four of the box.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``FlinkeyError/parameter(_:due:)``.
  package init(
    physicalLockID text: String, field: String = "physical_lock_id"
  ) throws(FlinkeyError) {
    let octets = text.utf8.count == 8 ? try? Base64.decode(text) : nil
    guard let octets, octets.count == 6, octets[0] == Self.count, octets[1] == 0 else {
      throw .parameter(field, due: "eight characters of base64 such as BADBCPCU")
    }
    self.octets = Array(octets[2...])
  }

  /// Takes the four octets.
  ///
  /// - Throws: ``FlinkeyError/parameter(_:due:)`` for another number of them.
  package init(octets: [UInt8], field: String = "box_id") throws(FlinkeyError) {
    guard octets.count == Int(Self.count) else { throw .parameter(field, due: "four octets") }
    self.octets = octets
  }

  /// `C1-08-F0-94`.
  package var description: String {
    octets.map { Hex.encode([$0].span).uppercased() }.joined(separator: "-")
  }

  /// `BADBCPCU`.
  package var physicalLockID: String {
    Base64.encode(([Self.count, 0] + octets).span)
  }

  private static func octets(_ characters: [UInt8]) -> [UInt8]? {
    var octets: [UInt8] = []
    for place in stride(from: 0, to: 11, by: 3) {
      guard let high = digit(characters[place]), let low = digit(characters[place + 1]),
        place == 9 || characters[place + 2] == UInt8(ascii: "-")
      else { return nil }
      octets.append(high << 4 | low)
    }
    return octets
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    guard !(UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character) else { return nil }
    return Hex.value(character, acceptingUpperCase: true)
  }
}
