import WireCoding

/// What a box answers to a trigger command.
///
/// The length tells the two forms apart: ten octets are the compact one, which boxes before 3.3 send,
/// and box 3.3 when it got no command data; all else is the grouped one.
package struct FlinkeyFeedback: Hashable, Sendable {
  /// The fewest octets of the grouped form.
  private static let minimumGroupedCount = 5
  /// How many octets the compact form has.
  package static let compactCount = 10
  /// The most tags that a box tells of.
  package static let maximumTags = 3

  /// Whether the drawer is open; `nil` when the box did not tell.
  package private(set) var isDrawerOpen: Bool?
  /// Whether the drawer is unlocked; `nil` when the box did not tell.
  package private(set) var isDrawerUnlocked: Bool?
  /// The charge of the battery in hundredths of a percent, as the box tells it; `nil` when it did not.
  package private(set) var batteryHundredths: Int?
  /// Whether the battery is charging; `nil` when the box did not tell.
  package private(set) var isCharging: Bool?
  /// Whether a charger is connected; `nil` when the box did not tell.
  package private(set) var isChargerConnected: Bool?
  /// The UIDs of the NFC tags in the box in upper-case hexadecimal digits, at most three; empty places
  /// are left out.
  package private(set) var nfcTags: [String] = []

  /// How the box stands; `nil` when it did not tell.
  package var state: FlinkeyBoxState? {
    guard let isDrawerOpen, let isDrawerUnlocked else { return nil }
    return isDrawerOpen ? .drawerOpen : isDrawerUnlocked ? .unlocked : .locked
  }

  /// Reads feedback.
  ///
  /// - Parameters:
  ///   - octets: the response data of the command.
  ///   - box: the box it came from, without which the charge in the compact form means nothing.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``FlinkeyError/parameter(_:due:)`` when it has neither form. The grouped one has at
  ///   least five octets; a group must end before the data does, those that are known must have their
  ///   size and come once, and one of them must be there.
  package init(
    _ octets: Span<UInt8>, from box: FlinkeyBoxID?, field: String = "feedback"
  ) throws(FlinkeyError) {
    if octets.count == Self.compactCount {
      readCompact(octets, box)
    } else {
      do throws(WireCodingError) {
        try readGroups(octets)
      } catch {
        throw .parameter(field, due: "ten octets, or groups that fill the data")
      }
    }
  }

  private mutating func readCompact(_ octets: Span<UInt8>, _ box: FlinkeyBoxID?) {
    isDrawerOpen = octets[6] & 1 != 0
    isDrawerUnlocked = octets[1] & 0x80 != 0
    // Boxes whose name begins with C1 have something else in these bits.
    guard let box, box.octets[0] != 0xC1 else { return }
    // 63 is full; in hundredths of a percent, to the nearest.
    batteryHundredths = (Int(octets[6] >> 2) * 20_000 + 63) / 126
  }

  private mutating func readGroups(_ octets: Span<UInt8>) throws(WireCodingError) {
    guard octets.count >= Self.minimumGroupedCount else { throw .truncated(offset: octets.count) }
    var reader = ByteReader(octets)
    // Two octets that nobody explains.
    try reader.skip(2)
    var known: Set<UInt8> = []
    while !reader.isAtEnd {
      let number = try reader.uint8()
      let group = try reader.bytes(Int(try reader.uint8()))
      guard number == 1 || number == 3 else { continue }
      // Of two equal groups one could not be believed.
      guard known.insert(number).inserted else { throw .trailingBytes(offset: reader.offset) }
      try number == 1 ? readStatus(group) : readTags(group)
    }
    guard !known.isEmpty else { throw .truncated(offset: reader.offset) }
  }

  private mutating func readStatus(_ group: [UInt8]) throws(WireCodingError) {
    guard group.count == 3 else { throw .truncated(offset: group.count) }
    batteryHundredths = Int(group[0] & 0x7F) * 100
    isCharging = group[0] & 0x80 != 0
    isChargerConnected = group[1] & 0x80 != 0
    isDrawerOpen = group[2] & 0x80 != 0
    isDrawerUnlocked = group[2] & 0x40 != 0
  }

  private mutating func readTags(_ group: [UInt8]) throws(WireCodingError) {
    var reader = ByteReader(group.span)
    var places = 0
    while !reader.isAtEnd {
      places += 1
      guard places <= Self.maximumTags else { throw .trailingBytes(offset: reader.offset) }
      let uid = try reader.bytes(Int(try reader.uint8() & 15))
      if !uid.isEmpty { nfcTags.append(Hex.encode(uid.span).uppercased()) }
    }
  }
}
