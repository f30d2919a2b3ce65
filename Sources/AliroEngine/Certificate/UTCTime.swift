import WireCoding

/// The UTCTime of certificates, `YYMMDDhhmmssZ`; nothing shorter or longer (section 15.7).
enum UTCTime {
  /// Reads 13 ASCII octets; years from 50 on are in the 1900s (RFC 5280, section 4.1.2.5.1).
  static func timestamp(_ text: [UInt8]) -> Timestamp? {
    guard text.count == 13, text[12] == UInt8(ascii: "Z") else { return nil }
    let dash = [UInt8(ascii: "-")]
    let colon = [UInt8(ascii: ":")]
    var full = Array((text[0] < UInt8(ascii: "5") ? "20" : "19").utf8)
    full += text[0..<2] + dash + text[2..<4] + dash + text[4..<6] + [UInt8(ascii: "T")]
    full += text[6..<8] + colon + text[8..<10] + colon + text[10..<13]
    return try? Timestamp(full.span)
  }
}
