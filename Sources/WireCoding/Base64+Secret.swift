public import SecureMemory

/// Base64 of secrets: from and to guarded memory, without tables indexed by secret values.
extension Base64 {
  /// Reads text straight into guarded memory.
  ///
  /// Time and memory access depend on the length of the text, and on where the first wrong
  /// character stands, not on the octets.
  ///
  /// - Parameter text: the padded text, whose own memory is the caller's to wipe.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidBase64(offset:)`` or ``WireCodingError/secretMemory(_:)``.
  public static func decodeSecret(_ text: Span<UInt8>) throws(WireCodingError) -> SecretBytes {
    var secret = try makeSecret(decodedCount(text))
    try secret.withMutableBytes { output throws(WireCodingError) in
      try read(text, into: &output, lookup: value)
    }
    return secret
  }

  /// The value of a character by arithmetic alone, 0xFF outside the alphabet.
  @inline(__always)
  static func value(of character: UInt8) -> UInt8 {
    let code = Int16(character)
    let upper = mask(code, 65, 90) & (code - 65)
    let lower = mask(code, 97, 122) & (code - 71)
    let digit = mask(code, 48, 57) & (code + 4)
    let plus = mask(code, 43, 43) & 62
    let slash = mask(code, 47, 47) & 63
    let known =
      mask(code, 65, 90) | mask(code, 97, 122) | mask(code, 48, 57) | mask(code, 43, 43)
      | mask(code, 47, 47)
    return UInt8(truncatingIfNeeded: (upper | lower | digit | plus | slash) | (~known & 0xFF))
  }

  /// The character of a value below 64 by arithmetic alone.
  @inline(__always)
  static func character(of value: UInt8) -> UInt8 {
    let code = Int16(value)
    let character =
      (mask(code, 0, 25) & (code + 65)) | (mask(code, 26, 51) & (code + 71))
      | (mask(code, 52, 61) & (code - 4)) | (mask(code, 62, 62) & 43) | (mask(code, 63, 63) & 47)
    return UInt8(truncatingIfNeeded: character)
  }

  /// All ones when `low <= code <= high`, else zero, without a branch.
  @inline(__always)
  static func mask(_ code: Int16, _ low: Int16, _ high: Int16) -> Int16 {
    ~((code - low) | (high - code)) >> 15
  }

  /// Takes guarded memory, in this module's error type.
  static func makeSecret(_ count: Int) throws(WireCodingError) -> SecretBytes {
    do throws(SecureMemoryError) {
      return try SecretBytes(zeroed: count)
    } catch {
      throw .secretMemory(error)
    }
  }
}
