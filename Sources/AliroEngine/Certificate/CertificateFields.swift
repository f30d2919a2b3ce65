/// What a compressed certificate says, with the defaults filled in (section 5).
///
/// Checked for form alone; no signature has been looked at.
struct CertificateFields: Hashable, Sendable {
  /// The serial number, unsigned, without leading zero octets.
  var serial: [UInt8] = [0x01]
  /// The issuer's common name, UTF-8.
  var issuer = Array("issuer".utf8)
  /// `YYMMDDhhmmssZ`, 13 octets.
  var notBefore = Array("200101000000Z".utf8)
  /// `YYMMDDhhmmssZ`, 13 octets.
  var notAfter = Array("490101000000Z".utf8)
  /// The subject's common name, UTF-8.
  var subject = Array("subject".utf8)
  /// The uncompressed point, 65 octets.
  var publicKey: [UInt8] = []
  /// The signature in DER.
  var signature: [UInt8] = []
}
