import AliroEngine
import VaultCrypto
import WireCoding

/// The certificate of a lock, in the compressed form that it travels in (section 5).
enum ReaderCertificate {
  /// Issues one, with names and serial number at their defaults.
  ///
  /// - Returns: the compressed form.
  static func issue(
    to key: P256PublicKey, by authority: P256PrivateKey, _ validity: ClosedRange<Timestamp>
  ) throws -> [UInt8] {
    var fields = CertificateFields()
    fields.notBefore = utcTime(validity.lowerBound)
    fields.notAfter = utcTime(validity.upperBound)
    fields.publicKey = key.uncompressed
    let body = try fields.toBeSigned(issuerKey: authority.publicKey)
    fields.signature = try authority.signature(message: body.span).der
    return try compressed(fields)
  }

  /// Leaves out what has its default.
  private static func compressed(_ fields: CertificateFields) throws(TLVError) -> [UInt8] {
    let defaults = CertificateFields()
    var writer = TLVWriter()
    try writer.append(0x30) { certificate throws(TLVError) in
      try certificate.append(0x04, [0, 0])
      try certificate.append(0x30) { body throws(TLVError) in
        if fields.notBefore != defaults.notBefore { try body.append(0x82, fields.notBefore) }
        if fields.notAfter != defaults.notAfter { try body.append(0x83, fields.notAfter) }
        // Both are contents of BIT STRINGs, without unused bits.
        try body.append(0x85, [0] + fields.publicKey)
        try body.append(0x86, [0] + fields.signature)
      }
    }
    return writer.bytes
  }

  /// `YYMMDDhhmmssZ`, made of `YYYY-MM-DDThh:mm:ssZ`.
  private static func utcTime(_ time: Timestamp) -> [UInt8] {
    let digits = time.description.utf8.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return digits.dropFirst(2) + [UInt8(ascii: "Z")]
  }
}
