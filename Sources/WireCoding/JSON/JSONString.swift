/// Where a checked string stands in the text: between its quotation marks, escapes not undone.
public struct JSONString: Hashable, Sendable {
  /// The place of the first octet after the opening quotation mark.
  public let start: Int
  /// The place of the closing quotation mark.
  public let end: Int
  /// The number of UTF-8 octets once escapes are undone.
  public let decodedCount: Int

  /// Whether the octets in the text are not yet the string's own.
  public var hasEscapes: Bool { decodedCount != end - start }
}
