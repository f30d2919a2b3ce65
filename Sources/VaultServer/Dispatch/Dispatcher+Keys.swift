import VaultAPI
import VaultCore
import VaultCrypto
import WireCoding

extension Dispatcher {
  func carryOutKey(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .keyPublic(let params):
      let purpose: KeyPurpose = params.purpose == .signing ? .signing : .presentation
      worker.publicKey(
        params.namespace, purpose, by: call.subject,
        call.answer { found in
          let answer = found.value
          return KeyPublicResult(
            namespace: params.namespace, purpose: params.purpose, version: answer.version,
            created: answer.isNew, point: answer.key.uncompressed,
            spki: answer.key.subjectPublicKeyInfo, seq: found.sequence)
        })
    case .keyList(let params):
      worker.listKeys(
        params.namespace, by: call.subject,
        call.answer { listed in
          KeyListResult(
            keys: listed.value.map {
              KeyEntry(
                purpose: $0.purpose.rawValue, version: $0.version, state: .active,
                created: Timestamp(clamping: $0.created))
            })
        })
    case .keySign(let params):
      let content: SignedContent =
        if let digest = params.digest { .digest(digest) } else { .message(params.message ?? []) }
      let format = params.format
      worker.sign(
        params.namespace, content, by: call.subject,
        call.answer { signed in
          let signature = signed.value.signature
          return KeySignResult(
            signature: format == .der ? signature.der : signature.raw, format: format,
            version: signed.value.version, seq: signed.sequence)
        })
    default:
      call.fail(RPCError(.internalError))
    }
  }
}
