import WireCoding

/// Counts the octets that would be written and keeps none, so that locked memory, which is scarce,
/// is asked for in the right size.
struct LineLength: JSONWriting {
  private(set) var count = 0
  var needsComma = false

  mutating func append(_ octets: Span<UInt8>) { count += octets.count }

  mutating func append(_ octet: UInt8) { count += 1 }

  mutating func appendBase64(_ octets: Span<UInt8>) {
    count += Base64.encodedCount(octets.count)
  }
}
