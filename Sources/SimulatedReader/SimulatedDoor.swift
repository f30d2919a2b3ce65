import AliroEngine
import SecureMemory
package import VaultCrypto
package import WireCoding

/// A door made up for one simulation: who issues passes for it, who vouches for its lock, and the
/// lock itself, each with a key that is thrown away afterwards.
package struct SimulatedDoor: Sendable {
  /// Signs the access document.
  let issuer: P256PrivateKey
  /// The key of the group: it signs for the lock, or certifies the key that does.
  let authority: P256PrivateKey
  /// What the lock signs with.
  let lock: P256PrivateKey
  /// The lock's certificate in its compressed form, when it shows one.
  let certificate: [UInt8]?
  /// The lock's whole identifier, 32 octets.
  let readerIdentifier: [UInt8]
  /// When all that is issued holds.
  let validity: ClosedRange<Timestamp>

  /// The first half of the lock's identifier, by which the pass names it, 16 octets.
  package var groupIdentifier: [UInt8] { Array(readerIdentifier.prefix(16)) }
  /// The public key of who issues passes.
  package var issuerKey: P256PublicKey { issuer.publicKey }
  /// The public key that the pass trusts the lock by.
  package var authorityKey: P256PublicKey { authority.publicKey }
}

extension SimulatedDoor {
  /// What is issued begins a little before and ends a little after the simulation, in seconds.
  private static let before: Int64 = 300
  private static let after: Int64 = 3600

  /// Makes a door.
  ///
  /// - Parameters:
  ///   - time: the time it is.
  ///   - isCertified: whether the lock signs with a key of its own, which the group's key certifies,
  ///     instead of the group's.
  /// - Throws: ``ReaderFault/computation(_:)``.
  package init(at time: Timestamp, isCertified: Bool) throws(ReaderFault) {
    let start = Timestamp(clamping: time.seconds - Self.before)
    let end = Timestamp(clamping: time.seconds + Self.after)
    self = try computing {
      let authority = try P256PrivateKey.generate()
      let lock = isCertified ? try P256PrivateKey.generate() : authority
      let certificate =
        isCertified
        ? try ReaderCertificate.issue(to: lock.publicKey, by: authority, start...end) : nil
      return SimulatedDoor(
        issuer: try P256PrivateKey.generate(), authority: authority, lock: lock,
        certificate: certificate, readerIdentifier: SecureRandom.bytes(32), validity: start...end)
    }
  }

  /// Issues an access document that allows a credential to lock and unlock.
  ///
  /// - Parameter credential: the credential's public key.
  /// - Returns: the document (section 13).
  /// - Throws: ``ReaderFault/computation(_:)``.
  package func accessDocument(for credential: P256PublicKey) throws(ReaderFault) -> [UInt8] {
    try IssuedDocument(credential: credential, validity: validity).signed(by: issuer)
  }

  /// Makes the certificate of the key that the pass trusts the lock by.
  ///
  /// - Returns: the certificate in X.509 DER.
  /// - Throws: ``ReaderFault/computation(_:)``.
  package func authorityCertificate() throws(ReaderFault) -> [UInt8] {
    try computing {
      // Named as the lock's certificate names its issuer, which is by the default.
      try X509Certificate(
        authority: authority, name: String(decoding: CertificateFields().issuer, as: UTF8.self),
        notBefore: validity.lowerBound.seconds, notAfter: validity.upperBound.seconds
      ).der
    }
  }
}
