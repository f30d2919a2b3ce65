/// The tag of a BER-TLV element: one octet, or two when the low five bits of the first are all ones.
public struct TLVTag: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The octets of the tag as one big-endian number, such as `0x41` or `0x7F66`.
  public let rawValue: UInt16

  /// Makes a tag from its octets.
  ///
  /// - Parameter rawValue: the octets as one big-endian number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Makes a tag from a literal.
  ///
  /// - Parameter value: the octets as one big-endian number.
  public init(integerLiteral value: UInt16) {
    self.init(rawValue: value)
  }
}

/// One element found by ``TLVReader``: where it stands in the octets that were read.
///
/// Positions rather than views, because a span cannot be stored; they are inside the span that was
/// read, so `span.extracting(element.value)` does not trap for that span.
public struct TLVElement: Hashable, Sendable {
  /// The tag.
  public let tag: TLVTag
  /// Tag, length and value.
  public let encoding: Range<Int>
  /// The value alone.
  public let value: Range<Int>
}
