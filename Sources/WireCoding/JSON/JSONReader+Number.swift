extension JSONReader {
  /// The largest magnitude of an integer: 2^53, up to which every reader of JSON agrees.
  public static let maximumInteger: Int64 = 1 << 53

  /// Reads an integer.
  ///
  /// - Returns: its value, within ±2^53; `-0` is 0.
  /// - Throws: ``WireCodingError/json(_:offset:)``, for a fraction or exponent once it is known to
  ///   be well formed.
  public mutating func integer() throws(WireCodingError) -> Int64 {
    try expect(.number)
    let start = offset
    let isNegative = input[offset] == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    let first = offset
    var magnitude: Int64 = 0
    var isLarge = false
    while let digit = digit() {
      // Sixteen digits hold 2^53, so the sum cannot overflow before the range is left.
      magnitude = isLarge ? magnitude : magnitude * 10 + Int64(digit)
      isLarge = isLarge || magnitude > Self.maximumInteger
      offset += 1
    }
    try checkIntegerPart(since: first)
    guard try !skipFractionAndExponent() else { throw .json(.notAnInteger, offset: start) }
    guard !isLarge else { throw .json(.integerOutOfRange, offset: start) }
    return isNegative ? -magnitude : magnitude
  }

  /// Reads a number of any form and size.
  mutating func skipNumber() throws(WireCodingError) {
    try expect(.number)
    if input[offset] == UInt8(ascii: "-") { offset += 1 }
    let first = offset
    while digit() != nil { offset += 1 }
    try checkIntegerPart(since: first)
    _ = try skipFractionAndExponent()
  }

  private func checkIntegerPart(since first: Int) throws(WireCodingError) {
    try requireDigits(since: first)
    guard offset - first == 1 || input[first] != UInt8(ascii: "0") else {
      throw .json(.leadingZero, offset: first)
    }
  }

  /// Reads what may follow the integer part, and tells whether there was any.
  private mutating func skipFractionAndExponent() throws(WireCodingError) -> Bool {
    let start = offset
    if offset < input.count, input[offset] == UInt8(ascii: ".") {
      offset += 1
      try skipDigits()
    }
    if offset < input.count, input[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if offset < input.count,
        input[offset] == UInt8(ascii: "+") || input[offset] == UInt8(ascii: "-")
      {
        offset += 1
      }
      try skipDigits()
    }
    return offset > start
  }

  private mutating func skipDigits() throws(WireCodingError) {
    let first = offset
    while digit() != nil { offset += 1 }
    try requireDigits(since: first)
  }

  private func requireDigits(since first: Int) throws(WireCodingError) {
    guard offset == first else { return }
    throw fault(offset < input.count ? .unexpectedByte : .unexpectedEnd)
  }

  /// The digit at the position, or `nil`.
  private func digit() -> UInt8? {
    guard offset < input.count else { return nil }
    let value = input[offset] &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }
}
