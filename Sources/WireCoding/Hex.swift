/// Hexadecimal text, two digits an octet, lower case when written.
public enum Hex {
  /// Writes octets as lower-case digits.
  ///
  /// - Parameter bytes: the octets.
  /// - Returns: two digits for each.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends octets as lower-case digits to a buffer of text.
  ///
  /// - Parameters:
  ///   - bytes: the octets.
  ///   - text: receives two digits for each.
  public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    text.reserveCapacity(text.count + bytes.count * 2)
    for index in bytes.indices {
      text.append(digit(bytes[index] >> 4))
      text.append(digit(bytes[index] & 15))
    }
  }

  /// Reads digits.
  ///
  /// - Parameters:
  ///   - text: an even number of digits and nothing else.
  ///   - acceptingUpperCase: whether `A`–`F` are digits as well as `a`–`f`.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidHex(offset:)``.
  public static func decode(
    _ text: Span<UInt8>, acceptingUpperCase: Bool = false
  ) throws(WireCodingError) -> [UInt8] {
    guard text.count % 2 == 0 else { throw .invalidHex(offset: text.count) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var index = 0
    while index < text.count {
      let high = try value(text[index], acceptingUpperCase, at: index)
      let low = try value(text[index + 1], acceptingUpperCase, at: index + 1)
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }

  /// Reads digits.
  ///
  /// - Parameters:
  ///   - text: an even number of digits and nothing else.
  ///   - acceptingUpperCase: whether `A`–`F` are digits as well as `a`–`f`.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidHex(offset:)``.
  public static func decode(
    _ text: String, acceptingUpperCase: Bool = false
  ) throws(WireCodingError) -> [UInt8] {
    let octets = Array(text.utf8)
    return try decode(octets.span, acceptingUpperCase: acceptingUpperCase)
  }

  /// The digit of a value below 16, by a comparison and no table, which suits secrets as well.
  @inline(__always)
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The value of one digit, or `nil`; without a table, which suits secrets as well.
  @inline(__always)
  package static func value(_ digit: UInt8, acceptingUpperCase: Bool) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F") where acceptingUpperCase:
      digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func value(
    _ digit: UInt8, _ acceptingUpperCase: Bool, at offset: Int
  ) throws(WireCodingError) -> UInt8 {
    guard let value = value(digit, acceptingUpperCase: acceptingUpperCase) else {
      throw .invalidHex(offset: offset)
    }
    return value
  }
}
