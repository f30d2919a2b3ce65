import AliroEngine
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

  func carryOutPass(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .passStore(let params):
      worker.storePass(
        TokenUnlockPass(params.pass), params.namespace, by: call.subject,
        call.answer { stored in
          let pass = stored.value.pass
          return PassStoreResult(
            replaced: stored.value.replaced, digest: pass.digest, signed: pass.document.signed,
            validFrom: pass.document.validFrom, validUntil: pass.document.validUntil,
            readerGroups: pass.groups, seq: stored.sequence)
        })
    case .passInfo(let params):
      worker.describePass(
        params.namespace, by: call.subject,
        call.answer { found in
          let pass = found.value
          return PassInfoResult(
            digest: pass.digest, signed: pass.document.signed,
            validFrom: pass.document.validFrom, validUntil: pass.document.validUntil,
            readerGroups: pass.groups, issuer: PassIssuer(verified: false), access: [],
            stored: Timestamp(clamping: pass.stored),
            usable: pass.refusal == nil, reason: pass.refusal.map { RPCErrorCode($0.code) })
        })
    case .passDelete(let params):
      worker.deletePass(
        params.namespace, by: call.subject,
        call.answer { deleted in
          let found = deleted.value
          return PassDeleteResult(
            deleted: found.hadKey || found.hadPass, key: found.hadKey, pass: found.hadPass,
            seq: deleted.sequence)
        })
    default:
      call.fail(RPCError(.internalError))
    }
  }
}

extension TokenUnlockPass {
  /// The pass as it came in; nothing of it is checked but its encoding.
  fileprivate init(_ content: PassContent) {
    self.init(
      accessDocument: content.accessDocument,
      readerGroups: content.readerGroups.map {
        ReaderGroup(
          groupIdentifier: $0.readerGroupId, issuerCAPublicKey: $0.issuerCaPublicKey,
          issuerCACertificateDER: $0.issuerCaCertificateDer)
      })
  }
}

extension RPCErrorCode {
  /// The wire's code for the reason of a refusal.
  init(_ code: Refusal.Code) {
    self = VaultError.Code(rawValue: code.rawValue).map { RPCErrorCode($0) } ?? .internalError
  }
}
