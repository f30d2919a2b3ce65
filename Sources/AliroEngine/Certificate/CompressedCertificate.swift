import WireCoding

/// The reader of the compressed certificate form (section 5).
enum CompressedCertificate {
  /// Why octets are not a compressed certificate.
  ///
  /// Which rule was broken is of no use to anyone: the reader gets one status word for all.
  struct Malformed: Error {}

  /// Decodes `30 { 04 02 0000, 30 { [80]…[84] 85 86 } }` strictly: DER, ascending tags, fields left
  /// out exactly when they have their default, nothing trailing.
  static func decode(_ bytes: [UInt8]) throws(Malformed) -> CertificateFields {
    let outer = try elements(bytes, nil)
    guard outer.count == 1, outer[0].tag == 0x30 else { throw Malformed() }
    let parts = try elements(bytes, outer[0].value)
    guard parts.count == 2, parts[0].tag == 0x04, bytes.value(of: parts[0]) == [0, 0],
      parts[1].tag == 0x30
    else { throw Malformed() }
    var fields = CertificateFields()
    var last: UInt16 = 0
    for element in try elements(bytes, parts[1].value) {
      guard element.tag.rawValue > last else { throw Malformed() }
      last = element.tag.rawValue
      try fields.set(element.tag, bytes.value(of: element))
    }
    // Defaults aside, an unset key or signature is empty.
    guard !fields.publicKey.isEmpty, !fields.signature.isEmpty else { throw Malformed() }
    return fields
  }

  private static func elements(
    _ bytes: [UInt8], _ range: Range<Int>?
  ) throws(Malformed) -> [TLVElement] {
    do {
      return try TLVReader.elements(in: bytes.span, range)
    } catch {
      throw Malformed()
    }
  }
}

extension CertificateFields {
  fileprivate mutating func set(
    _ tag: TLVTag, _ value: [UInt8]
  ) throws(CompressedCertificate.Malformed) {
    let isValid: Bool
    switch tag {
    case 0x80:
      // Canonical: no leading zero octet. This refuses the serial number zero as well, which
      // RFC 5280 forbids.
      isValid = (1...20).contains(value.count) && value[0] != 0 && value != serial
      serial = value
    case 0x81:
      isValid = Self.isName(value) && value != issuer
      issuer = value
    case 0x82:
      isValid = UTCTime.timestamp(value) != nil && value != notBefore
      notBefore = value
    case 0x83:
      isValid = UTCTime.timestamp(value) != nil && value != notAfter
      notAfter = value
    case 0x84:
      isValid = Self.isName(value) && value != subject
      subject = value
    case 0x85:
      // The content of a BIT STRING: no unused bits, then the point.
      isValid = value.count == 66 && value[0] == 0
      publicKey = Array(value.dropFirst())
    case 0x86:
      isValid = (2...73).contains(value.count) && value[0] == 0
      signature = Array(value.dropFirst())
    default:
      isValid = false
    }
    guard isValid else { throw CompressedCertificate.Malformed() }
  }

  private static func isName(_ value: [UInt8]) -> Bool {
    (1...32).contains(value.count) && String(validating: value, as: UTF8.self) != nil
  }
}
