import SecureMemory

/// A link that opened the app: an absolute `https` URL of at most 8,192 octets.
///
/// Its host is checked, as it goes into a request by itself; a URL with a user before its host, which is
/// how links pretend to be another's, is refused. The rest may be any characters that a URL may have
/// (RFC 3986, and brackets), and is kept as it came.
package struct BiqliDeepLink: Equatable, Sendable {
  /// The most octets of a link.
  package static let maximumCount = 8_192

  private static let scheme = Array("https://".utf8)

  /// The text.
  package let secret: BiqliSecret
  /// The host, in lower case, without the one dot that may stand before and after it.
  package let host: BiqliSecret

  /// Checks a link.
  ///
  /// - Parameters:
  ///   - text: the link, in memory that is the caller's to wipe.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)`` or ``BiqliError/memoryExhausted``.
  package init(_ text: Span<UInt8>, field: String = "link") throws(BiqliError) {
    guard text.count <= Self.maximumCount, let host = Self.host(in: text) else {
      throw .parameter(
        field, due: "an https URL with a host, of at most \(Self.maximumCount) octets")
    }
    secret = try BiqliSecret(copying: text)
    do {
      var lower = try SecretBytes(copying: text.extracting(host))
      lower.withMutableBytes { octets in
        for index in octets.indices where BiqliText.isUpper(octets[index]) {
          octets[index] |= 0x20
        }
      }
      self.host = BiqliSecret(lower)
    } catch {
      throw .memoryExhausted
    }
  }

  /// Where the host of a link stands; `nil` when it is none.
  private static func host(in text: Span<UInt8>) -> Range<Int>? {
    guard text.count > scheme.count else { return nil }
    for index in text.indices where !isURLCharacter(text[index]) { return nil }
    for index in scheme.indices {
      let octet = text[index]
      guard (BiqliText.isUpper(octet) ? octet | 0x20 : octet) == scheme[index] else { return nil }
    }
    var end = scheme.count
    while end < text.count, !isEndOfAuthority(text[end]) { end += 1 }
    var colon = scheme.count
    while colon < end, text[colon] != UInt8(ascii: ":") { colon += 1 }
    // A user's `@` is in no name of a host and in no port.
    guard colon == end || isPort(text.extracting(colon + 1..<end)),
      let name = BiqliDomain.name(in: text.extracting(scheme.count..<colon))
    else { return nil }
    return scheme.count + name.lowerBound..<scheme.count + name.upperBound
  }

  private static func isPort(_ text: Span<UInt8>) -> Bool {
    guard (1...5).contains(text.count) else { return false }
    var number = 0
    for index in text.indices {
      guard BiqliText.isDigit(text[index]) else { return false }
      number = number * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return (1...65_535).contains(number)
  }

  private static func isEndOfAuthority(_ character: UInt8) -> Bool {
    "/?#".utf8.contains(character)
  }

  private static func isURLCharacter(_ character: UInt8) -> Bool {
    (0x21...0x7E).contains(character) && !"\"<>\\^`{|}".utf8.contains(character)
  }
}
