/// Reads what ``CanonicalEncoder`` wrote; anything else gives `nil`.
package struct CanonicalDecoder: Sendable {
  private let bytes: [UInt8]
  private var offset = 0

  /// Starts behind the label, which must be this one.
  package init?(_ label: StaticString, _ bytes: [UInt8]) {
    self.bytes = bytes
    guard let found = octets() else { return nil }
    let isExpected = label.withUTF8Buffer { unsafe found.elementsEqual($0) }
    guard isExpected else { return nil }
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { offset == bytes.count }

  /// How many octets were read, the label included.
  package var position: Int { offset }

  /// Reads an integer.
  package mutating func integer() -> Int64? {
    guard let value = big(8) else { return nil }
    return Int64(bitPattern: value)
  }

  /// Reads octets, of one length if it is given.
  package mutating func octets(count: Int? = nil) -> [UInt8]? {
    guard let length = big(4), length <= UInt64(bytes.count - offset),
      count ?? Int(length) == length
    else { return nil }
    let value = [UInt8](bytes[offset..<offset + Int(length)])
    offset += Int(length)
    return value
  }

  /// Reads text, which must be UTF-8.
  package mutating func text() -> String? {
    guard let value = octets() else { return nil }
    return String(validating: value, as: UTF8.self)
  }

  private mutating func big(_ count: Int) -> UInt64? {
    guard bytes.count - offset >= count else { return nil }
    var value: UInt64 = 0
    for octet in bytes[offset..<offset + count] { value = value << 8 | UInt64(octet) }
    offset += count
    return value
  }
}
