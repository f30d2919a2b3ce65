/// A second of UTC between the years 0000 and 9999, written as RFC 3339 `2026-01-15T08:30:00Z`.
///
/// Leap seconds are not counted, as in POSIX; `:60` is refused.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The first second of the year 0000.
  public static let earliest = Timestamp(unchecked: -62_167_219_200)
  /// The last second of the year 9999.
  public static let latest = Timestamp(unchecked: 253_402_300_799)

  /// Seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64

  private init(unchecked seconds: Int64) {
    self.seconds = seconds
  }

  /// Makes a time that can be written.
  ///
  /// - Parameter seconds: seconds since 1970; `nil` comes back outside the years 0000 to 9999.
  public init?(seconds: Int64) {
    guard seconds >= Self.earliest.seconds, seconds <= Self.latest.seconds else { return nil }
    self.seconds = seconds
  }

  /// Makes the writable time nearest to a count of seconds.
  ///
  /// - Parameter seconds: seconds since 1970.
  public init(clamping seconds: Int64) {
    self.seconds = min(max(seconds, Self.earliest.seconds), Self.latest.seconds)
  }

  /// Reads exactly `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// - Parameter text: the twenty characters.
  /// - Throws: ``WireCodingError/invalidTimestamp(offset:)``.
  public init(_ text: Span<UInt8>) throws(WireCodingError) {
    guard text.count == 20 else { throw .invalidTimestamp(offset: min(text.count, 20)) }
    for (offset, mark) in Self.marks where text[offset] != mark {
      throw .invalidTimestamp(offset: offset)
    }
    let year = try Self.number(text, 0..<4, 0...9999)
    let month = try Self.number(text, 5..<7, 1...12)
    let day = try Self.number(text, 8..<10, 1...Self.days(in: month, year: year))
    let hour = try Self.number(text, 11..<13, 0...23)
    let minute = try Self.number(text, 14..<16, 0...59)
    let second = try Self.number(text, 17..<19, 0...59)
    let date = Self.dayNumber(year: year, month: month, day: day)
    self.seconds = date * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// Reads exactly `YYYY-MM-DDTHH:MM:SSZ`.
  ///
  /// - Parameter text: the twenty characters.
  /// - Throws: ``WireCodingError/invalidTimestamp(offset:)``.
  public init(_ text: String) throws(WireCodingError) {
    let octets = Array(text.utf8)
    try self.init(octets.span)
  }

  /// The text.
  public var description: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the twenty characters to a buffer.
  ///
  /// - Parameter text: the buffer.
  public func append(to text: inout [UInt8]) {
    // Division that rounds down, so that times before 1970 fall into their own day.
    let inDay = ((seconds % 86_400) + 86_400) % 86_400
    let (year, month, day) = Self.date(dayNumber: (seconds - inDay) / 86_400)
    let fields = [
      (year, 4), (month, 2), (day, 2), (inDay / 3600, 2), (inDay / 60 % 60, 2), (inDay % 60, 2),
    ]
    for (index, (value, width)) in fields.enumerated() {
      var divisor: Int64 = width == 4 ? 1000 : 10
      while divisor > 0 {
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
        divisor /= 10
      }
      text.append(Self.marks[index].1)
    }
  }

  /// Orders by time.
  ///
  /// - Parameters:
  ///   - left: one time.
  ///   - right: another.
  /// - Returns: whether `left` is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds < right.seconds
  }

  /// What stands between the numbers, by offset.
  private static let marks: [(Int, UInt8)] = [
    (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")),
    (13, UInt8(ascii: ":")), (16, UInt8(ascii: ":")), (19, UInt8(ascii: "Z")),
  ]

  private static func number(
    _ text: Span<UInt8>, _ digits: Range<Int>, _ range: ClosedRange<Int64>
  ) throws(WireCodingError) -> Int64 {
    var value: Int64 = 0
    for offset in digits {
      let digit = text[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { throw .invalidTimestamp(offset: offset) }
      value = value * 10 + Int64(digit)
    }
    guard range.contains(value) else { throw .invalidTimestamp(offset: digits.lowerBound) }
    return value
  }
}
