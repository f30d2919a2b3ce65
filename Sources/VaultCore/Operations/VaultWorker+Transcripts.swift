import AliroEngine
import VaultCrypto
package import WireCoding

/// The fields of a transaction that a gateway runs with its own Aliro stack, unchecked.
package struct GatewayTranscript: Hashable, Sendable {
  /// Group identifier and sub-identifier, to be 32 octets.
  package var readerIdentifier: [UInt8]
  /// The gateway's ephemeral point for the device, to be 65 octets.
  package var deviceEphemeralKey: [UInt8]
  /// The reader's ephemeral point, to be 65 octets.
  package var readerEphemeralKey: [UInt8]
  /// To be 16 octets.
  package var transactionIdentifier: [UInt8]
  /// The reader's signature, `r ‖ s`, to be 64 octets.
  package var readerSignature: [UInt8]
  /// The reader's compressed certificate, when it showed one.
  package var certificate: [UInt8]?

  /// Takes fields as they came.
  package init(
    readerIdentifier: [UInt8], deviceEphemeralKey: [UInt8], readerEphemeralKey: [UInt8],
    transactionIdentifier: [UInt8], readerSignature: [UInt8], certificate: [UInt8]? = nil
  ) {
    self.readerIdentifier = readerIdentifier
    self.deviceEphemeralKey = deviceEphemeralKey
    self.readerEphemeralKey = readerEphemeralKey
    self.transactionIdentifier = transactionIdentifier
    self.readerSignature = readerSignature
    self.certificate = certificate
  }
}

extension VaultWorker {
  /// Signs the device transcript of a transaction whose reader stands up as in AUTH1 (section 17), once.
  ///
  /// - Parameters:
  ///   - transcript: the fields; the vault itself builds what is signed.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given the signature; `conflict` when this transcript was signed before.
  package func signTranscript(
    _ transcript: GatewayTranscript, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: SignatureAnswer, sequence: Int64)>
  ) {
    var entry = AuditEntry("presentation.sign", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      try namespace.checkUsable()
      let key = try namespace.key(.presentation)
      let signed = try sign(transcript, with: credential(of: namespace))
      entry.namespaceID = namespace.entry.id
      entry.keyVersion = key.version
      entry.detailDigest = BLAKE2b.hash(signed.digest.span)
      let fence = namespace.fence(key)
      let answer = SignatureAnswer(signature: signed.signature, version: key.version)
      vault.committer.hooks.computed?(entry.method)
      change(entry, reply) { context throws(VaultError) in
        try context.check(fence)
        try context.noteSigned(signed.digest, by: name)
        return answer
      }
    } catch {
      refuse(entry, error, reply)
    }
  }

  private func sign(
    _ transcript: GatewayTranscript, with credential: PresentedCredential
  ) throws(VaultError) -> SignedTranscript {
    do throws(AliroError) {
      let request = try TranscriptRequest(
        readerIdentifier: transcript.readerIdentifier,
        deviceEphemeralKey: transcript.deviceEphemeralKey,
        readerEphemeralKey: transcript.readerEphemeralKey,
        transactionIdentifier: transcript.transactionIdentifier,
        readerSignature: transcript.readerSignature, certificate: transcript.certificate)
      return try request.sign(with: credential, at: Timestamp(clamping: now))
    } catch {
      throw VaultError(error) { "\($0) is not what the protocol has there" }
    }
  }
}
