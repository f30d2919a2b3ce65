/// An ECDSA signature over P-256: two numbers, each from 1 to the group order less one.
public struct P256Signature: Hashable, Sendable {
  /// The numbers r and s as 32 big-endian octets each, 64 in all (IEEE P1363).
  public let raw: [UInt8]

  /// Takes a signature in raw form.
  ///
  /// - Parameter raw: exactly 64 octets, r ‖ s.
  /// - Throws: ``VaultCryptoError/invalidSignatureEncoding`` for another length or a number out of
  ///   range.
  public init(raw: Span<UInt8>) throws(VaultCryptoError) {
    guard raw.count == 64, P256Curve.isScalar(raw.extracting(0..<32)),
      P256Curve.isScalar(raw.extracting(32..<64))
    else { throw .invalidSignatureEncoding }
    self.raw = [UInt8](copying: raw)
  }

  /// Takes a signature in DER form (RFC 3279, 2.2.3), exactly as X.690 wants it.
  ///
  /// - Parameter der: one SEQUENCE of two INTEGERs, minimal lengths, no trailing octets.
  /// - Throws: ``VaultCryptoError/invalidSignatureEncoding`` for anything else, or a number out of
  ///   range.
  public init(der: Span<UInt8>) throws(VaultCryptoError) {
    // 30 len 02 len r 02 len s: the content has at most 70 octets, so every length is one octet.
    guard der.count >= 8, der.count <= 72, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
      throw .invalidSignatureEncoding
    }
    var raw = [UInt8](repeating: 0, count: 64)
    var offset = 2
    for end in [32, 64] {
      offset = try Self.takeInteger(der, at: offset, into: &raw, endingAt: end)
    }
    guard offset == der.count else { throw .invalidSignatureEncoding }
    try self.init(raw: raw.span)
  }

  /// Reads one INTEGER and returns the offset after it.
  private static func takeInteger(
    _ der: Span<UInt8>, at offset: Int, into raw: inout [UInt8], endingAt end: Int
  ) throws(VaultCryptoError) -> Int {
    guard offset + 2 < der.count, der[offset] == 0x02 else { throw .invalidSignatureEncoding }
    var start = offset + 2
    let next = start + Int(der[offset + 1])
    guard next > start, next <= der.count, der[start] < 0x80 else {
      throw .invalidSignatureEncoding
    }
    if der[start] == 0 {
      // A leading zero octet only where the number would read as negative without it.
      guard next - start > 1, der[start + 1] >= 0x80 else { throw .invalidSignatureEncoding }
      start += 1
    }
    guard next - start <= 32 else { throw .invalidSignatureEncoding }
    for index in start..<next { raw[end - (next - index)] = der[index] }
    return next
  }

  /// The signature in DER form, 8 to 72 octets.
  public var der: [UInt8] {
    var content: [UInt8] = []
    content.reserveCapacity(72)
    for number in [raw[0..<32], raw[32..<64]] {
      let digits = number.drop { $0 == 0 }
      let isNegative = (digits.first ?? 0) >= 0x80
      content += [0x02, UInt8(digits.count + (isNegative ? 1 : 0))]
      if isNegative { content.append(0) }
      content += digits
    }
    return [0x30, UInt8(content.count)] + content
  }
}
