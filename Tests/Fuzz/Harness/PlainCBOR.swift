/// Writes CBOR (RFC 8949) with the shortest heads, for inputs that are to get past the outer layers
/// of a document; the engine's own writer is under test itself.
enum PlainCBOR {
  static func head(_ major: UInt8, _ value: UInt64) -> [UInt8] {
    let octets = (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    return switch value {
    case ..<24: [major << 5 | UInt8(value)]
    case ...0xFF: [major << 5 | 24] + octets.suffix(1)
    case ...0xFFFF: [major << 5 | 25] + octets.suffix(2)
    case ...0xFFFF_FFFF: [major << 5 | 26] + octets.suffix(4)
    default: [major << 5 | 27] + octets
    }
  }

  static func unsigned(_ value: UInt64) -> [UInt8] { head(0, value) }

  static func bytes(_ value: [UInt8]) -> [UInt8] { head(2, UInt64(value.count)) + value }

  static func text(_ value: String) -> [UInt8] {
    let octets = Array(value.utf8)
    return head(3, UInt64(octets.count)) + octets
  }

  static func array(_ items: [[UInt8]]) -> [UInt8] {
    head(4, UInt64(items.count)) + items.joined()
  }

  static func map(_ pairs: [(key: [UInt8], value: [UInt8])]) -> [UInt8] {
    head(5, UInt64(pairs.count)) + pairs.flatMap { $0.key + $0.value }
  }

  /// A map with the text keys of the documents: `"1"` and so on.
  static func map(_ values: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
    map(values.map { (text($0.key), $0.value) })
  }

  static func tagged(_ number: UInt64, _ item: [UInt8]) -> [UInt8] { head(6, number) + item }

  /// `#6.24(bstr item)`.
  static func encoded(_ item: [UInt8]) -> [UInt8] { tagged(24, bytes(item)) }
}
