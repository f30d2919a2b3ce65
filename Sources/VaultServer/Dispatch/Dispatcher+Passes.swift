import AliroEngine
import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutPass(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .passStore(let params): storePass(params, call)
    case .passInfo(let params):
      worker.describePass(
        params.namespace, by: call.subject, call.answer { PassInfoResult($0.value) })
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

  private func storePass(_ params: PassStoreParams, _ call: Call) {
    var keys: [GroupResolvingKey] = []
    do throws(VaultError) {
      for (index, group) in params.pass.readerGroups.enumerated() {
        guard let key = group.groupResolvingKey else { continue }
        keys.append(GroupResolvingKey(group: index, key: try key.copy()))
      }
    } catch {
      turnAway(call, RPCError(error))
      return
    }
    worker.storePass(
      TokenUnlockPass(params.pass), resolvingKeys: keys, params.namespace, by: call.subject,
      call.answer { stored in
        let pass = stored.value.pass
        return PassStoreResult(
          replaced: stored.value.replaced, digest: pass.digest, signed: pass.document.signed,
          validFrom: pass.document.validFrom, validUntil: pass.document.validUntil,
          readerGroups: pass.groups, seq: stored.sequence)
      })
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
      },
      revocationDocument: content.revocationDocument,
      credentialIssuerKey: content.credentialIssuerPublicKey,
      mailbox: content.mailbox.map {
        MailboxSettings(
          size: Int(clamping: $0.size), isReadable: $0.readable, isWritable: $0.writable,
          isUsableInStepUp: $0.stepUp)
      })
  }
}

extension PassInfoResult {
  fileprivate init(_ pass: PassDescription) {
    self.init(
      digest: pass.digest, signed: pass.document.signed, validFrom: pass.document.validFrom,
      validUntil: pass.document.validUntil, readerGroups: pass.groups,
      issuer: PassIssuer(
        keyIdentifier: pass.document.issuerKeyIdentifier, verified: pass.isIssuerVerified),
      access: pass.document.summary.map { VaultAPI.AccessSummary($0) },
      revocation: pass.revocation.map { RevocationSummary($0) },
      mailbox: pass.mailbox.map { PassMailbox($0) }, stored: Timestamp(clamping: pass.stored),
      usable: pass.refusal == nil, reason: pass.refusal.map { RPCErrorCode($0.code) })
  }
}

extension VaultAPI.AccessSummary {
  fileprivate init(_ summary: AliroEngine.AccessSummary) {
    self.init(
      element: summary.element, id: summary.identifier, rules: summary.rules,
      schedules: summary.schedules, readerRuleIds: summary.readerRuleIdentifiers.map { Int64($0) })
  }
}

extension RevocationSummary {
  fileprivate init(_ document: RevocationDocument) {
    let mode: RevocationMode? =
      switch document.mode {
      case .overwrite: .overwrite
      case .append: .append
      case nil: nil
      }
    self.init(
      signed: document.signed, validFrom: document.validFrom, validUntil: document.validUntil,
      mode: mode, entries: Int64(document.entryCount))
  }
}

extension PassMailbox {
  fileprivate init(_ settings: MailboxSettings) {
    self.init(
      size: Int64(settings.size), readable: settings.isReadable, writable: settings.isWritable,
      stepUp: settings.isUsableInStepUp)
  }
}
