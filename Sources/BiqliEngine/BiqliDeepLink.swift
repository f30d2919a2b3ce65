/// A link that opened the app: an absolute `https` URL of at most 8,192 octets.
///
/// Its host is checked, as it goes into a request by itself; a URL with a user before its host, which is
/// how links pretend to be another's, is refused. The rest may be any characters that a URL may have
/// (RFC 3986, and brackets), and is kept as it came.
package struct BiqliDeepLink: Hashable, Sendable, CustomStringConvertible {
  /// The most octets of a link.
  package static let maximumCount = 8_192

  /// The text.
  package let description: String
  /// The host, in lower case.
  package let host: BiqliDomain

  /// Checks a link.
  ///
  /// - Parameters:
  ///   - text: the link.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ text: String, field: String = "link") throws(BiqliError) {
    guard text.utf8.count <= Self.maximumCount, let host = Self.host(of: Array(text.utf8)) else {
      throw .parameter(
        field, due: "an https URL with a host, of at most \(Self.maximumCount) octets")
    }
    description = text
    self.host = host
  }

  private static func host(of octets: [UInt8]) -> BiqliDomain? {
    let scheme = "https://".utf8
    guard octets.count > scheme.count,
      zip(octets, scheme).allSatisfy({ BiqliText.isUpper($0) ? $0 | 0x20 == $1 : $0 == $1 }),
      octets.allSatisfy(isURLCharacter)
    else { return nil }
    let authority = octets.dropFirst(scheme.count).prefix { !"/?#".utf8.contains($0) }
    let parts = authority.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    // A user's `@` is in no name of a host and in no port.
    guard let name = parts.first, parts.count == 1 || isPort(parts[1]) else { return nil }
    return try? BiqliDomain(String(decoding: name, as: UTF8.self))
  }

  private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
    guard (1...5).contains(text.count), text.allSatisfy(BiqliText.isDigit) else { return false }
    let number = text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return (1...65_535).contains(number)
  }

  private static func isURLCharacter(_ character: UInt8) -> Bool {
    (0x21...0x7E).contains(character) && !"\"<>\\^`{|}".utf8.contains(character)
  }
}
