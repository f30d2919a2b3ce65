public import SecureMemory

/// What strings hold once their escapes are undone.
extension JSONReader {
  /// Makes a `String` of a string that is not secret.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: its characters.
  public func text(_ token: JSONString) -> String {
    guard token.hasEscapes else {
      return unsafe raw(token).withUnsafeBufferPointer {
        unsafe String(decoding: $0, as: UTF8.self)
      }
    }
    return String(decoding: octets(token), as: UTF8.self)
  }

  /// Makes an array of the UTF-8 octets of a string that is not secret.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: its octets.
  public func octets(_ token: JSONString) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: token.decodedCount)
    var output = octets.mutableSpan
    Self.unescape(raw(token), into: &output)
    return octets
  }

  /// Tells whether a string has exactly these ASCII octets, without an allocation.
  ///
  /// - Parameters:
  ///   - token: a string of this text.
  ///   - text: what to compare with.
  /// - Returns: whether they agree.
  public func matches(_ token: JSONString, _ text: [UInt8]) -> Bool {
    guard token.decodedCount == text.count else { return false }
    if token.hasEscapes { return matchesEscaped(token, text) }
    for index in text.indices where input[token.start + index] != text[index] { return false }
    return true
  }

  /// Reads a string's base64 into an array.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: the octets it stands for.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)``, counted within the string.
  public func base64(_ token: JSONString) throws(WireCodingError) -> [UInt8] {
    guard token.hasEscapes else { return try Base64.decode(raw(token)) }
    // Some writers escape the solidus, which is in the alphabet.
    let text = octets(token)
    return try Base64.decode(text.span)
  }

  /// Moves a string's UTF-8 octets straight into guarded memory.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: the octets, escapes undone.
  /// - Throws: ``WireCodingError/secretMemory(_:)``.
  public func secretText(_ token: JSONString) throws(WireCodingError) -> SecretBytes {
    var secret = try Base64.makeSecret(token.decodedCount)
    let view = raw(token)
    secret.withMutableBytes { output in Self.unescape(view, into: &output) }
    return secret
  }

  /// Reads a string's base64 straight into guarded memory.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: the octets it stands for.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)`` or ``WireCodingError/secretMemory(_:)``.
  public func secretBase64(_ token: JSONString) throws(WireCodingError) -> SecretBytes {
    guard token.hasEscapes else { return try Base64.decodeSecret(raw(token)) }
    let text = try secretText(token)
    return try text.withBytes { text throws(WireCodingError) in try Base64.decodeSecret(text) }
  }

  /// Reads a string's hexadecimal digits, of either case, straight into guarded memory.
  ///
  /// - Parameter token: a string of this text.
  /// - Returns: the octets it stands for.
  /// - Throws: ``WireCodingError/invalidHex(offset:)``, counted within the string, or
  ///   ``WireCodingError/secretMemory(_:)``.
  public func secretHex(_ token: JSONString) throws(WireCodingError) -> SecretBytes {
    guard token.hasEscapes else {
      return try Hex.decodeSecret(raw(token), acceptingUpperCase: true)
    }
    let text = try secretText(token)
    return try text.withBytes { text throws(WireCodingError) in
      try Hex.decodeSecret(text, acceptingUpperCase: true)
    }
  }

  /// The octets between the quotation marks.
  @_lifetime(copy self)
  public func raw(_ token: JSONString) -> Span<UInt8> {
    input.extracting(token.start..<token.end)
  }

  private func matchesEscaped(_ token: JSONString, _ text: [UInt8]) -> Bool {
    let octets = octets(token)
    for index in text.indices where octets[index] != text[index] { return false }
    return true
  }

  /// Undoes the escapes of a checked string; `output` has the decoded count.
  private static func unescape(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var index = 0
    var at = 0
    while index < text.count {
      let octet = text[index]
      guard octet == UInt8(ascii: "\\") else {
        output[at] = octet
        index += 1
        at += 1
        continue
      }
      if let character = simpleEscape(text[index + 1]) {
        output[at] = character
        index += 2
        at += 1
        continue
      }
      var scalar = unit(text, index)
      index += 6
      if scalar & 0xFC00 == 0xD800 {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 | (unit(text, index) & 0x3FF)
        index += 6
      }
      at += encode(scalar, into: &output, at: at)
    }
  }

  private static func unit(_ text: Span<UInt8>, _ place: Int) -> UInt32 {
    var unit: UInt32 = 0
    for digit in place + 2..<place + 6 {
      unit = unit << 4 | UInt32(Hex.value(text[digit], acceptingUpperCase: true) ?? 0)
    }
    return unit
  }

  private static func encode(
    _ scalar: UInt32, into output: inout MutableSpan<UInt8>, at: Int
  ) -> Int {
    func octet(_ lead: UInt32, _ shift: UInt32, _ mask: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: lead | (scalar >> shift & mask))
    }
    if scalar < 0x80 {
      output[at] = octet(0, 0, 0x7F)
      return 1
    }
    if scalar < 0x800 {
      output[at] = octet(0xC0, 6, 0x1F)
      output[at + 1] = octet(0x80, 0, 0x3F)
      return 2
    }
    if scalar < 0x10000 {
      output[at] = octet(0xE0, 12, 0x0F)
      output[at + 1] = octet(0x80, 6, 0x3F)
      output[at + 2] = octet(0x80, 0, 0x3F)
      return 3
    }
    output[at] = octet(0xF0, 18, 0x07)
    output[at + 1] = octet(0x80, 12, 0x3F)
    output[at + 2] = octet(0x80, 6, 0x3F)
    output[at + 3] = octet(0x80, 0, 0x3F)
    return 4
  }
}
