/// The name of a namespace: 1–128 octets, at most eight segments joined by `/`, each segment
/// `[a-z0-9][a-z0-9._-]{0,62}`.
///
/// A segment starts with a letter or digit, so none is `.` or `..`. A name is an identifier, not a
/// secret.
public struct NamespaceName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The most octets of a name.
  public static let maximumCount = 128
  /// The most segments of a name.
  public static let maximumSegments = 8
  /// The most octets of a segment.
  public static let maximumSegmentCount = 63

  /// The name as text.
  public let rawValue: String

  /// Checks a name.
  ///
  /// - Parameter octets: its octets.
  /// - Throws: ``WireCodingError/invalidNamespace(offset:)``.
  public init(_ octets: Span<UInt8>) throws(WireCodingError) {
    try Self.check(octets)
    rawValue = unsafe octets.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Checks a name.
  ///
  /// - Parameter text: the name.
  /// - Throws: ``WireCodingError/invalidNamespace(offset:)``.
  public init(_ text: String) throws(WireCodingError) {
    let octets = Array(text.utf8)
    try Self.check(octets.span)
    rawValue = text
  }

  /// The name as text.
  public var description: String { rawValue }

  /// Whether this is another name, or below it by any number of segments.
  ///
  /// - Parameter other: the other name.
  /// - Returns: whether it is.
  public func isWithin(_ other: NamespaceName) -> Bool {
    guard rawValue.utf8.starts(with: other.rawValue.utf8) else { return false }
    let rest = rawValue.utf8.dropFirst(other.rawValue.utf8.count)
    return rest.first.map { $0 == UInt8(ascii: "/") } ?? true
  }

  /// Orders by octets, as the store lists names.
  ///
  /// - Parameters:
  ///   - left: one name.
  ///   - right: another.
  /// - Returns: whether `left` comes first.
  public static func < (left: NamespaceName, right: NamespaceName) -> Bool {
    // Names are ASCII, for which the order of strings is the order of octets.
    left.rawValue < right.rawValue
  }

  static func check(_ octets: Span<UInt8>) throws(WireCodingError) {
    guard octets.count <= maximumCount else { throw .invalidNamespace(offset: maximumCount) }
    var segments = 1
    var inSegment = 0
    for offset in octets.indices {
      switch octets[offset] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        inSegment += 1
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        guard inSegment > 0 else { throw .invalidNamespace(offset: offset) }
        inSegment += 1
      case UInt8(ascii: "/"):
        guard inSegment > 0, segments < maximumSegments else {
          throw .invalidNamespace(offset: offset)
        }
        segments += 1
        inSegment = 0
      default:
        throw .invalidNamespace(offset: offset)
      }
      guard inSegment <= maximumSegmentCount else { throw .invalidNamespace(offset: offset) }
    }
    guard inSegment > 0 else { throw .invalidNamespace(offset: octets.count) }
  }
}
