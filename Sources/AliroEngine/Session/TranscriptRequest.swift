public import VaultCrypto
public import WireCoding

/// A device signature for a gateway that runs the rest of Aliro itself (section 17).
///
/// The caller gives the fields of the exchange, never the octets to sign: the vault verifies the
/// reader as AUTH1 does, and builds both transcripts from the fields.
public struct TranscriptRequest: Hashable, Sendable {
  private let fields: TranscriptFields
  private let readerSignature: [UInt8]
  private let certificate: [UInt8]?

  /// Checks the fields for form.
  ///
  /// - Parameters:
  ///   - readerIdentifier: group identifier and sub-identifier, 32 octets.
  ///   - deviceEphemeralKey: the gateway's ephemeral point for the device, 65 octets.
  ///   - readerEphemeralKey: the reader's ephemeral point, 65 octets, not the same.
  ///   - transactionIdentifier: 16 octets.
  ///   - readerSignature: what the reader signed its transcript with, `r ‖ s`, 64 octets.
  ///   - certificate: the reader's compressed certificate, when it showed one.
  /// - Throws: ``AliroError/parameter(_:)`` with the first field that is wrong, named as on the wire.
  public init(
    readerIdentifier: [UInt8], deviceEphemeralKey: [UInt8], readerEphemeralKey: [UInt8],
    transactionIdentifier: [UInt8], readerSignature: [UInt8], certificate: [UInt8]? = nil
  ) throws(AliroError) {
    guard readerIdentifier.count == 32 else { throw .parameter("reader_identifier") }
    let device = try Self.point(deviceEphemeralKey, "device_ephemeral_key")
    let reader = try Self.point(readerEphemeralKey, "reader_ephemeral_key")
    // Points with the same x would have both sides sign the same octets, but for the usage.
    guard reader.x != device.x else { throw .parameter("reader_ephemeral_key") }
    guard transactionIdentifier.count == 16 else { throw .parameter("transaction_identifier") }
    guard readerSignature.count == 64 else { throw .parameter("reader_signature") }
    if let certificate, (try? UnverifiedReaderCertificate(compressed: certificate)) == nil {
      throw .parameter("certificate")
    }
    fields = TranscriptFields(
      readerIdentifier: readerIdentifier, deviceEphemeralKey: device, readerEphemeralKey: reader,
      transactionIdentifier: transactionIdentifier)
    self.readerSignature = readerSignature
    self.certificate = certificate
  }

  /// Verifies the reader, then signs.
  ///
  /// - Parameters:
  ///   - credential: the namespace's credential.
  ///   - time: the vault's time; certificate and pass are judged by it.
  /// - Returns: the signature, with what tells this transcript from others.
  /// - Throws: ``AliroError/refused(_:)`` with the reason that AUTH1 would end with.
  public func sign(
    with credential: PresentedCredential, at time: Timestamp
  ) throws(AliroError) -> SignedTranscript {
    do {
      var proof = ReaderProof(in: GroupStanding(of: fields.groupIdentifier, for: credential))
      if let certificate { try proof.load(certificate: certificate, at: time) }
      let (reader, usable) = try proof.authenticate(fields, signature: readerSignature, at: time)
      let transcript = DeviceTranscript(for: reader)
      return SignedTranscript(
        signature: try usable.signer.sign(transcript),
        digest: SHA256.hash(transcript.bytes.span))
    } catch {
      throw .refused(Failure(computation: error).refusal)
    }
  }

  private static func point(
    _ octets: [UInt8], _ field: String
  ) throws(AliroError) -> P256PublicKey {
    do {
      return try P256PublicKey(uncompressed: octets.span)
    } catch {
      throw .parameter(field)
    }
  }
}

/// A device signature and the transcript it is over.
public struct SignedTranscript: Hashable, Sendable {
  /// The credential's signature.
  public let signature: P256Signature
  /// The SHA-256 of the signed transcript, 32 octets: the same for the same transcript alone.
  public let digest: [UInt8]
}
