/// How an ECDSA signature is written.
public enum SignatureFormat: String, CaseIterable, Hashable, Sendable {
  /// A DER sequence of two integers.
  case der
  /// r and s, 32 octets each, one after the other.
  case raw
}
