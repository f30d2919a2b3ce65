/// The beginning of a namespace name: a name, or a name followed by `/`.
///
/// Each non-empty beginning of a valid name has one of these two forms, so nothing that could match
/// is refused, and a prefix which can match no name is.
public struct NamespacePrefix: Hashable, Sendable, CustomStringConvertible {
  /// The prefix as text.
  public let rawValue: String

  /// Checks a prefix.
  ///
  /// - Parameter octets: its octets.
  /// - Throws: ``WireCodingError/invalidNamespace(offset:)``.
  public init(_ octets: Span<UInt8>) throws(WireCodingError) {
    try Self.check(octets)
    rawValue = unsafe octets.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Checks a prefix.
  ///
  /// - Parameter text: the prefix.
  /// - Throws: ``WireCodingError/invalidNamespace(offset:)``.
  public init(_ text: String) throws(WireCodingError) {
    let octets = Array(text.utf8)
    try self.init(octets.span)
  }

  /// The prefix as text.
  public var description: String { rawValue }

  private static func check(_ octets: Span<UInt8>) throws(WireCodingError) {
    let last = octets.count - 1
    guard last > 0, octets[last] == UInt8(ascii: "/") else {
      return try NamespaceName.check(octets)
    }
    let name = octets.extracting(0..<last)
    try NamespaceName.check(name)
    var segments = 1
    for offset in name.indices where name[offset] == UInt8(ascii: "/") { segments += 1 }
    // One more segment of at least one octet has to fit.
    guard segments < NamespaceName.maximumSegments, octets.count < NamespaceName.maximumCount else {
      throw .invalidNamespace(offset: last)
    }
  }
}
