/// Reads BER-TLV elements one after the other, in the one form that is also DER: definite lengths,
/// each in its shortest form, and nothing between the elements.
///
/// Tags have one octet or two; lengths are `00`–`7F`, `81 nn` or `82 nn nn`. No input makes it trap.
/// The reader holds a position only; the octets are passed at each call and must be the same.
public struct TLVReader: Sendable {
  private var offset: Int
  private let end: Int?

  /// Makes a reader for a whole span, or for the value of an element found in it.
  ///
  /// - Parameter range: where to read; everything when it is left out.
  public init(_ range: Range<Int>? = nil) {
    offset = range?.lowerBound ?? 0
    end = range?.upperBound
  }

  /// Reads the next element.
  ///
  /// - Parameter bytes: the octets, the same at each call.
  /// - Returns: the element, or `nil` when everything has been read.
  /// - Throws: ``TLVError`` when what follows is not an element; the reader must not be used again.
  public mutating func next(in bytes: Span<UInt8>) throws(TLVError) -> TLVElement? {
    let end = min(self.end ?? bytes.count, bytes.count)
    guard offset >= 0, offset < end else {
      // A reader for a range that the octets do not hold is a truncation, not an end.
      guard offset == end, self.end ?? end == end else { throw .truncated(offset: offset) }
      return nil
    }
    let start = offset
    var position = start
    let tag = try Self.tag(at: &position, end: end, in: bytes)
    let count = try Self.length(at: &position, end: end, in: bytes)
    guard count <= end - position else { throw .truncated(offset: start) }
    offset = position + count
    return TLVElement(tag: tag, encoding: start..<offset, value: position..<offset)
  }

  /// Reads every element of a span or of a part of it.
  ///
  /// - Parameters:
  ///   - bytes: the octets.
  ///   - range: where to read; everything when it is left out.
  /// - Returns: the elements in their order.
  /// - Throws: ``TLVError`` when the octets are anything but a row of elements.
  public static func elements(
    in bytes: Span<UInt8>, _ range: Range<Int>? = nil
  ) throws(TLVError) -> [TLVElement] {
    var reader = TLVReader(range)
    var elements: [TLVElement] = []
    while let element = try reader.next(in: bytes) {
      elements.append(element)
    }
    return elements
  }

  private static func tag(
    at position: inout Int, end: Int, in bytes: Span<UInt8>
  ) throws(TLVError) -> TLVTag {
    let start = position
    let first = bytes[position]
    position += 1
    // Tag 00 is BER's end-of-contents mark and ISO 7816's padding: neither belongs here.
    guard first != 0 else { throw .unsupportedTag(offset: start) }
    guard first & 0x1F == 0x1F else { return TLVTag(rawValue: UInt16(first)) }
    guard position < end else { throw .truncated(offset: start) }
    let second = bytes[position]
    position += 1
    // The top bit announces a third octet. Small second octets are in use (9F00 and up), so that
    // they could have been written in one octet is no reason to refuse them.
    guard second & 0x80 == 0 else { throw .unsupportedTag(offset: start) }
    return TLVTag(rawValue: UInt16(first) << 8 | UInt16(second))
  }

  private static func length(
    at position: inout Int, end: Int, in bytes: Span<UInt8>
  ) throws(TLVError) -> Int {
    let start = position
    guard position < end else { throw .truncated(offset: start) }
    let first = bytes[position]
    position += 1
    guard first >= 0x80 else { return Int(first) }
    let octets = Int(first & 0x7F)
    guard octets == 1 || octets == 2 else { throw .unsupportedLength(offset: start) }
    guard octets <= end - position else { throw .truncated(offset: start) }
    var count = 0
    for index in position..<position + octets {
      count = count << 8 | Int(bytes[index])
    }
    position += octets
    guard count >= (octets == 1 ? 0x80 : 0x100) else { throw .unsupportedLength(offset: start) }
    return count
  }
}
