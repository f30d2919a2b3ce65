extension JSONReader {
  /// Reads a string and checks it: UTF-8, escapes, no control character, no U+0000.
  ///
  /// - Returns: where it stands.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func stringToken() throws(WireCodingError) -> JSONString {
    try expect(.string)
    offset += 1
    let start = offset
    var saved = 0
    while true {
      offset = plainEnd(from: offset)
      guard offset < input.count else { throw fault(.unexpectedEnd) }
      let octet = input[offset]
      switch octet {
      case UInt8(ascii: "\""):
        let token = JSONString(start: start, end: offset, decodedCount: offset - start - saved)
        offset += 1
        return token
      case UInt8(ascii: "\\"):
        saved += try skipEscape()
      case 0x20..<0x80:
        offset += 1
      case 0x80...:
        offset += try sequenceLength(first: octet)
      default:
        throw fault(octet == 0 ? .nulCharacter : .controlCharacter)
      }
    }
  }

  /// The first octet from `start` on that is no plain ASCII character, looked for eight at a time.
  ///
  /// Each term sets the top bit of an octet of the word that is to be looked at: not ASCII, below
  /// 0x20, a quotation mark, a backslash. A borrow can only mark octets after one that is marked
  /// rightly, and the first is taken.
  private func plainEnd(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let octets = unsafe input.bytes
    var at = start
    while input.count - at >= 8 {
      // Within bounds by the condition above.
      let word = unsafe UInt64(
        littleEndian: octets.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = (word ^ (ones &* 0x22)) &- ones
      let backslash = (word ^ (ones &* 0x5C)) &- ones
      let marked = (word | (word &- (ones &* 0x20)) | quote | backslash) & (ones &* 0x80)
      if marked != 0 { return at + marked.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < input.count {
      switch input[at] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0..<0x20, 0x80...: return at
      default: at += 1
      }
    }
    return at
  }

  /// Passes one escape, and tells how many octets shorter its character is.
  private mutating func skipEscape() throws(WireCodingError) -> Int {
    guard offset + 1 < input.count else {
      offset = input.count
      throw fault(.unexpectedEnd)
    }
    guard input[offset + 1] == UInt8(ascii: "u") else {
      guard Self.simpleEscape(input[offset + 1]) != nil else { throw fault(.invalidEscape) }
      offset += 2
      return 1
    }
    let unit = try codeUnit(at: offset)
    switch unit {
    case 0: throw fault(.nulCharacter)
    case 0xDC00...0xDFFF: throw fault(.loneSurrogate)
    case 0xD800...0xDBFF:
      guard try codeUnit(at: offset + 6, orNone: true) & 0xFC00 == 0xDC00 else {
        throw fault(.loneSurrogate)
      }
      offset += 12
      return 12 - 4
    default:
      offset += 6
      return 6 - (unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
    }
  }

  /// Reads `\uXXXX`; with `orNone`, 0 comes back when no such escape stands there.
  private mutating func codeUnit(
    at place: Int, orNone: Bool = false
  ) throws(WireCodingError) -> UInt32 {
    if orNone {
      guard place + 1 < input.count, input[place] == UInt8(ascii: "\\"),
        input[place + 1] == UInt8(ascii: "u")
      else { return 0 }
    }
    var unit: UInt32 = 0
    for digit in place + 2..<place + 6 {
      guard digit < input.count else { throw .json(.unexpectedEnd, offset: input.count) }
      guard let value = Hex.value(input[digit], acceptingUpperCase: true) else {
        throw .json(.invalidEscape, offset: place)
      }
      unit = unit << 4 | UInt32(value)
    }
    return unit
  }

  /// The length of the UTF-8 sequence that starts here (Unicode Standard, table 3-7).
  private func sequenceLength(first: UInt8) throws(WireCodingError) -> Int {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw fault(.invalidUTF8)
    }
    for place in 1..<length {
      guard offset + place < input.count else { throw fault(.invalidUTF8) }
      let range = place == 1 ? second : 0x80...0xBF
      guard range.contains(input[offset + place]) else { throw fault(.invalidUTF8) }
    }
    return length
  }

  static func simpleEscape(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}
