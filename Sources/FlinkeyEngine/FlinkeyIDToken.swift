package import SecureMemory
import WireCoding

/// The IdToken of a flinkey user, a JSON Web Token in its compact form (RFC 7519, RFC 7515).
///
/// The vault is not whom it is for and has no key to verify it: all it takes from it is when it ends.
package enum FlinkeyIDToken {
  /// The most octets of a token that is read.
  package static let maximumOctets = 8192

  /// When a token ends.
  ///
  /// - Parameters:
  ///   - token: three parts of base64url without padding, joined by points; the second is a JSON
  ///     object in which `exp` is an integer.
  ///   - field: the parameter's name, for the error.
  /// - Returns: the second from which on it must not be used, Unix seconds, of the years 1970 to 9999.
  /// - Throws: ``FlinkeyError/parameter(_:due:)``; ``FlinkeyError/noSecretMemory``.
  package static func expiry(
    of token: borrowing SecretBytes, field: String = "token"
  ) throws(FlinkeyError) -> Int64 {
    do throws(WireCodingError) {
      return try token.withBytes { octets throws(WireCodingError) in
        guard octets.count <= maximumOctets else { throw .trailingBytes(offset: maximumOctets) }
        return try expiry(inPayload: octets.extracting(payload(of: octets)))
      }
    } catch {
      guard case .secretMemory = error else {
        throw .parameter(field, due: "a JSON Web Token whose payload has an integer \"exp\"")
      }
      throw .noSecretMemory
    }
  }

  /// Where the second of three parts stands; each is some base64url.
  private static func payload(of token: Span<UInt8>) throws(WireCodingError) -> Range<Int> {
    var points: [Int] = []
    for index in token.indices {
      if token[index] == UInt8(ascii: ".") {
        points.append(index)
      } else if !isDigit(token[index]) {
        throw .invalidBase64(offset: index)
      }
    }
    guard points.count == 2, points[0] > 0, points[1] > points[0] + 1,
      token.count > points[1] + 1
    else { throw .truncated(offset: token.count) }
    return points[0] + 1..<points[1]
  }

  private static func expiry(inPayload text: Span<UInt8>) throws(WireCodingError) -> Int64 {
    let payload = try decode(text)
    return try payload.withBytes { octets throws(WireCodingError) in
      var reader = JSONReader(octets)
      var expiry: Int64?
      try reader.beginObject()
      while let name = try reader.nextName() {
        guard reader.matches(name, [UInt8(ascii: "e"), UInt8(ascii: "x"), UInt8(ascii: "p")]) else {
          try reader.skipValue()
          continue
        }
        // Of two ends neither could be believed.
        guard expiry == nil else { throw .json(.duplicateName, offset: name.start) }
        expiry = try reader.integer()
      }
      try reader.finish()
      guard let expiry, (0..<253_402_300_800).contains(expiry) else {
        throw .truncated(offset: octets.count)
      }
      return expiry
    }
  }

  /// The octets of base64url, by way of base64 in guarded memory.
  private static func decode(_ text: Span<UInt8>) throws(WireCodingError) -> SecretBytes {
    let padded = (text.count + 3) / 4 * 4
    var standard: SecretBytes
    do throws(SecureMemoryError) { standard = try SecretBytes(zeroed: padded) } catch {
      throw .secretMemory(error)
    }
    standard.withMutableBytes { output in
      for index in text.indices {
        output[index] =
          switch text[index] {
          case UInt8(ascii: "-"): UInt8(ascii: "+")
          case UInt8(ascii: "_"): UInt8(ascii: "/")
          default: text[index]
          }
      }
      for index in text.count..<padded { output[index] = UInt8(ascii: "=") }
    }
    return try standard.withBytes { octets throws(WireCodingError) in
      try Base64.decodeSecret(octets)
    }
  }

  private static func isDigit(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
