public import SecureMemory

/// Hexadecimal text of secrets: from guarded memory into guarded memory, without tables or branches
/// that depend on secret digits.
extension Hex {
  /// Reads digits straight into guarded memory.
  ///
  /// Time and memory access depend on the length of the text, and on where the first wrong
  /// character stands, not on the octets.
  ///
  /// - Parameters:
  ///   - text: an even number of digits and nothing else, whose own memory is the caller's to wipe.
  ///   - acceptingUpperCase: whether `A`–`F` are digits as well as `a`–`f`.
  /// - Returns: the octets.
  /// - Throws: ``WireCodingError/invalidHex(offset:)`` or ``WireCodingError/secretMemory(_:)``.
  public static func decodeSecret(
    _ text: Span<UInt8>, acceptingUpperCase: Bool = false
  ) throws(WireCodingError) -> SecretBytes {
    guard text.count % 2 == 0 else { throw .invalidHex(offset: text.count) }
    var secret = try Base64.makeSecret(text.count / 2)
    let areDigits = secret.withMutableBytes { output in
      var seen: UInt8 = 0
      for index in output.indices {
        let high = secretValue(text[2 * index], acceptingUpperCase: acceptingUpperCase)
        let low = secretValue(text[2 * index + 1], acceptingUpperCase: acceptingUpperCase)
        output[index] = high << 4 | low & 15
        seen |= high | low
      }
      return seen < 16
    }
    guard areDigits else {
      // No pair of this text becomes a secret: only now is it looked for which character is wrong.
      for index in text.indices
      where value(text[index], acceptingUpperCase: acceptingUpperCase) == nil {
        throw .invalidHex(offset: index)
      }
      throw .invalidHex(offset: text.count)
    }
    return secret
  }

  /// The value of a digit by arithmetic alone, 0xFF for another character.
  @inline(__always)
  private static func secretValue(_ digit: UInt8, acceptingUpperCase: Bool) -> UInt8 {
    let code = Int16(digit)
    let number = Base64.mask(code, 48, 57)
    let lower = Base64.mask(code, 97, 102)
    let upper = acceptingUpperCase ? Base64.mask(code, 65, 70) : 0
    let value = (number & (code - 48)) | (lower & (code - 87)) | (upper & (code - 55))
    return UInt8(truncatingIfNeeded: value | ~(number | lower | upper))
  }
}
