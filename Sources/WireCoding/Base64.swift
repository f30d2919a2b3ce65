/// Canonical standard base64 (RFC 4648 §4): padded, no line breaks, pad bits zero.
///
/// One octet string has exactly one accepted text, so that a digest over the text is a digest over
/// the octets.
public enum Base64 {
  /// The length of the text of `count` octets.
  ///
  /// - Parameter count: how many octets, not negative.
  /// - Returns: four characters for each three octets begun.
  public static func encodedCount(_ count: Int) -> Int {
    (count + 2) / 3 * 4
  }

  /// Writes octets as text.
  ///
  /// - Parameter bytes: the octets, which are not secret.
  /// - Returns: the padded text.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of octets to a buffer.
  ///
  /// - Parameters:
  ///   - bytes: the octets, which are not secret.
  ///   - text: receives the padded text.
  public static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    let start = text.count
    let count = encodedCount(bytes.count)
    text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: count))
    var output = text.mutableSpan
    write(bytes, into: &output, at: start)
  }

  /// The number of octets a text stands for, when its length and padding are right.
  ///
  /// - Parameter text: the padded text.
  /// - Returns: the count of octets.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)`` when the length is no multiple of four.
  public static func decodedCount(_ text: Span<UInt8>) throws(WireCodingError) -> Int {
    let count = text.count
    guard count % 4 == 0 else { throw .invalidBase64(offset: count) }
    guard count > 0, text[count - 1] == UInt8(ascii: "=") else { return count / 4 * 3 }
    return count / 4 * 3 - (text[count - 2] == UInt8(ascii: "=") ? 2 : 1)
  }

  /// Reads text that is not secret.
  ///
  /// - Parameter text: the padded text.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)``.
  public static func decode(_ text: Span<UInt8>) throws(WireCodingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: try decodedCount(text))
    var output = bytes.mutableSpan
    try read(text, into: &output) { decodingTable[Int($0)] }
    return bytes
  }

  /// Reads text that is not secret.
  ///
  /// - Parameter text: the padded text.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)``.
  public static func decode(_ text: String) throws(WireCodingError) -> [UInt8] {
    let octets = Array(text.utf8)
    return try decode(octets.span)
  }

  static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each character, 0xFF for those outside the alphabet.
  static let decodingTable: InlineArray<256, UInt8> = {
    var table = InlineArray<256, UInt8>(repeating: 0xFF)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()

  /// Writes whole groups, then the padded rest; `output` holds `=` where padding is due.
  private static func write(
    _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at start: Int
  ) {
    let alphabet = alphabet
    var index = 0
    var at = start
    while index < bytes.count {
      let left = bytes.count - index
      let group =
        UInt32(bytes[index]) << 16
        | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0) | (left > 2 ? UInt32(bytes[index + 2]) : 0)
      output[at] = alphabet[Int(group >> 18)]
      output[at + 1] = alphabet[Int(group >> 12 & 63)]
      if left > 1 { output[at + 2] = alphabet[Int(group >> 6 & 63)] }
      if left > 2 { output[at + 3] = alphabet[Int(group & 63)] }
      index += 3
      at += 4
    }
  }

  /// Fills `output`, whose size is `decodedCount(text)`, with `lookup` giving 0xFF for a character
  /// outside the alphabet.
  @inline(__always)
  static func read(
    _ text: Span<UInt8>, into output: inout MutableSpan<UInt8>, lookup: (UInt8) -> UInt8
  ) throws(WireCodingError) {
    var at = 0
    var index = 0
    // Whole groups, without a look at padding; a wrong character leaves the rest to the slow loop,
    // which says where it is.
    while text.count - index > 4 {
      let first = lookup(text[index])
      let second = lookup(text[index + 1])
      let third = lookup(text[index + 2])
      let fourth = lookup(text[index + 3])
      guard first | second | third | fourth < 64 else { break }
      output[at] = first << 2 | second >> 4
      output[at + 1] = second << 4 | third >> 2
      output[at + 2] = third << 6 | fourth
      at += 3
      index += 4
    }
    while index < text.count {
      let left = min(output.count - at, 3)
      var group: UInt32 = 0
      // A last group of one or two octets has two or three characters before its padding.
      for position in 0..<4 {
        let value = position <= left ? lookup(text[index + position]) : 0
        guard value < 64 else { throw .invalidBase64(offset: index + position) }
        group = group << 6 | UInt32(value)
      }
      // RFC 4648 §3.5: bits that belong to no octet must be zero, else two texts mean the same.
      guard left == 3 || group & (left == 1 ? 0xFFFF : 0xFF) == 0 else {
        throw .invalidBase64(offset: index + left)
      }
      output[at] = UInt8(truncatingIfNeeded: group >> 16)
      if left > 1 { output[at + 1] = UInt8(truncatingIfNeeded: group >> 8) }
      if left > 2 { output[at + 2] = UInt8(truncatingIfNeeded: group) }
      at += left
      index += 4
    }
  }
}
