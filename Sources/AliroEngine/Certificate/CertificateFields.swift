/// What a compressed certificate says, with the defaults filled in (section 5).
///
/// Checked for form alone; no signature has been looked at.
package struct CertificateFields: Hashable, Sendable {
  /// The serial number, unsigned, without leading zero octets.
  var serial: [UInt8] = [0x01]
  /// The issuer's common name, UTF-8.
  package var issuer = Array("issuer".utf8)
  /// `YYMMDDhhmmssZ`, 13 octets.
  package var notBefore = Array("200101000000Z".utf8)
  /// `YYMMDDhhmmssZ`, 13 octets.
  package var notAfter = Array("490101000000Z".utf8)
  /// The subject's common name, UTF-8.
  var subject = Array("subject".utf8)
  /// The uncompressed point, 65 octets.
  package var publicKey: [UInt8] = []
  /// The signature in DER.
  package var signature: [UInt8] = []

  /// Makes fields that have their defaults, without key and signature.
  package init() {}
}
