/// How `key public` writes a key alone.
enum PublicKeyFormat: String, CaseIterable, Sendable {
  /// The 65 octets of the uncompressed point, in base64.
  case point
  /// The DER of the SubjectPublicKeyInfo, in base64.
  case spki
  /// The SubjectPublicKeyInfo as PEM.
  case pem
}
