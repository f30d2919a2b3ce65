import AliroEngine
import VaultCrypto

extension FuzzTarget {
  /// Signatures for gateways with an Aliro of their own: the credential signs the transcript of the
  /// fields, and only after a reader that speaks for its group.
  ///
  /// Input: choices 1 ‖ reader identifier 32 ‖ both points 65 each ‖ transaction 16 ‖ signature 64 ‖
  /// certificate. Choices: bit 0, the reader signs as it should; bit 1, it has the certified key;
  /// bit 2, the points are the vectors'; bit 3, there is no usable credential.
  static let aliroTranscript = FuzzTarget("aliro-transcript") { input in
    guard let fields = TranscriptInput(copy(input)) else { return }
    let request: TranscriptRequest
    do throws(AliroError) {
      request = try TranscriptRequest(
        readerIdentifier: fields.readerIdentifier, deviceEphemeralKey: fields.device,
        readerEphemeralKey: fields.reader, transactionIdentifier: fields.transactionIdentifier,
        readerSignature: fields.signature, certificate: fields.certificate)
    } catch {
      guard case .parameter(let name) = error else { return require(false, "a field is named") }
      return require(TranscriptInput.parameters.contains(name), "the field is one of the call's")
    }
    let signer = CountingSigner()
    let credential =
      fields.isRefused
      ? PresentedCredential.refused(Refusal(.passMissing, "no pass"))
      : AliroWorld.credential(signer)
    let result = try? request.sign(with: credential, at: AliroWorld.moment.time)
    require((result != nil) == fields.isTrusted, "signed after a reader of the group, and no other")
    guard let result else { return require(signer.transcripts.isEmpty, "nothing was signed") }
    let transcript = fields.transcript.device
    require(signer.transcripts == [transcript], "the transcript of the fields was signed")
    require(result.digest == SHA256.hash(transcript.span), "its digest is told")
  }
}

private struct TranscriptInput {
  static let parameters: Set = [
    "reader_identifier", "device_ephemeral_key", "reader_ephemeral_key", "transaction_identifier",
    "reader_signature", "certificate",
  ]

  private static let points = (
    device: Vectors.aliro.point("deviceEphemeral1"), reader: Vectors.aliro.point("readerEphemeral1")
  )

  let readerIdentifier: [UInt8]
  let device: [UInt8]
  let reader: [UInt8]
  let transactionIdentifier: [UInt8]
  let certificate: [UInt8]?
  let isRefused: Bool
  private(set) var signature: [UInt8]

  init?(_ octets: [UInt8]) {
    var rest = octets[...]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    guard let choices = take(1).first else { return nil }
    isRefused = choices & 8 != 0
    readerIdentifier = take(32)
    let (device, reader) = (take(65), take(65))
    let hasPoints = choices & 4 != 0
    self.device = hasPoints ? Self.points.device : device
    self.reader = hasPoints ? Self.points.reader : reader
    transactionIdentifier = take(16)
    signature = take(64)
    certificate = rest.isEmpty ? nil : Array(rest)
    if choices & 1 != 0 {
      let isDirect = readerIdentifier.starts(with: AliroWorld.direct.identifier)
      let own = (isDirect ? AliroWorld.direct : AliroWorld.certified).key
      let key = choices & 2 != 0 ? AliroWorld.readerKey : own
      signature = CountingSigner.signature(by: key, over: transcript.reader).raw
    }
  }

  var transcript: Transcript {
    Transcript(
      readerIdentifier: readerIdentifier, deviceX: Array(device.dropFirst().prefix(32)),
      readerX: Array(reader.dropFirst().prefix(32)), transactionIdentifier: transactionIdentifier)
  }

  /// Whether the reader is one of a group of the pass, by the harness's own judgement.
  var isTrusted: Bool {
    let groups = [AliroWorld.direct, AliroWorld.certified]
    guard !isRefused, let signature = try? P256Signature(raw: signature.span),
      let group = groups.first(where: { readerIdentifier.starts(with: $0.identifier) })
    else { return false }
    var key = group.key.publicKey
    if let certificate {
      // The fuzzer cannot sign another certificate.
      let known = AliroWorld.certificates.first { $0.octets == certificate }
      guard let known, group.certifiesReaders else { return false }
      key = known.key
    }
    return key.isValidSignature(signature, message: transcript.reader.span)
  }
}
