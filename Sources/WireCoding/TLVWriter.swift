/// Writes BER-TLV elements with definite lengths in their shortest form, which for the tags used
/// here is DER as well.
public struct TLVWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8] = []

  /// Makes a writer that has written nothing.
  public init() {}

  /// Appends an element.
  ///
  /// - Parameters:
  ///   - tag: its tag; one octet is written when the upper octet of the tag is zero.
  ///   - value: its value, at most 65,535 octets.
  /// - Throws: ``TLVError/valueTooLong(_:)``; nothing is written then.
  public mutating func append(_ tag: TLVTag, _ value: [UInt8]) throws(TLVError) {
    guard value.count <= 0xFFFF else { throw .valueTooLong(value.count) }
    if tag.rawValue > 0xFF { bytes.append(UInt8(tag.rawValue >> 8)) }
    bytes.append(UInt8(truncatingIfNeeded: tag.rawValue))
    switch value.count {
    case ..<0x80:
      bytes.append(UInt8(value.count))
    case ..<0x100:
      bytes += [0x81, UInt8(value.count)]
    default:
      bytes += [0x82, UInt8(value.count >> 8), UInt8(value.count & 0xFF)]
    }
    bytes += value
  }

  /// Appends elements that are already encoded, unchecked.
  ///
  /// - Parameter elements: their octets.
  public mutating func append(encoded elements: [UInt8]) {
    bytes += elements
  }

  /// Appends an element whose value is made of further elements.
  ///
  /// - Parameters:
  ///   - tag: its tag.
  ///   - body: writes the elements inside.
  /// - Throws: ``TLVError/valueTooLong(_:)`` when this value or one inside is too long.
  public mutating func append(
    _ tag: TLVTag, _ body: (inout TLVWriter) throws(TLVError) -> Void
  ) throws(TLVError) {
    var inner = TLVWriter()
    try body(&inner)
    try append(tag, inner.bytes)
  }
}
