import VaultCrypto
import WireCoding

/// A key that may speak for a reader of a group: the group's own, or one that the group's key has
/// certified.
///
/// There is no other way to make one.
struct VerifiedReaderKey: Sendable {
  let key: P256PublicKey
  /// The group that vouches for the key.
  let group: ReaderGroupTrust
  /// The last second of the certificate, when there is one.
  let validUntil: Timestamp?

  /// The group's own key, when the reader showed no certificate.
  init(of group: ReaderGroupTrust) {
    key = group.key
    self.group = group
    validUntil = nil
  }

  /// The key of a certificate, once the certificate is found good.
  init(
    _ certificate: UnverifiedReaderCertificate, issuedBy group: ReaderGroupTrust,
    at time: Timestamp
  ) throws(UnverifiedReaderCertificate.Doubt) {
    key = try certificate.key(certifiedBy: group.key, at: time)
    self.group = group
    validUntil = certificate.notAfter
  }
}
