/// Why octets are not the BER-TLV that this product reads, or cannot be written as such.
public enum TLVError: Error, Hashable, Sendable {
  /// The octets end inside a tag, a length or a value that starts at this offset.
  case truncated(offset: Int)
  /// The tag at this offset is zero, or longer than two octets.
  case unsupportedTag(offset: Int)
  /// The length at this offset is indefinite, longer than two octets, or not in its shortest form.
  case unsupportedLength(offset: Int)
  /// A value of this many octets does not fit the longest length, `82 FF FF`.
  case valueTooLong(Int)
}
