import BiqliEngine
import SecureMemory
import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutBiqli(_ request: VaultRequest, _ call: Call) {
    do throws(VaultError) {
      switch request {
      case .biqliOpen(let params): try openBiqli(params, call)
      case .biqliCapture(let params): try captureBiqli(params, call)
      case .biqliBegin(let params): try beginBiqli(params, call)
      case .biqliComplete(let params): try completeBiqli(params, call)
      case .biqliFail(let params): try failBiqli(params, call)
      case .biqliDrop(let params):
        let event = try biqli { () throws(BiqliError) in try BiqliEventID(params.eventID) }
        worker.dropBiqli(
          event, params.namespace, by: call.subject,
          call.answer { BiqliDropResult(dropped: $0.value, seq: $0.sequence) })
      default: askBiqli(request, call)
      }
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  /// Carries out what takes a namespace and nothing else.
  private func askBiqli(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .biqliInstance(let params):
      worker.biqliInstance(
        params.namespace, by: call.subject,
        call.answer {
          BiqliInstanceResult(instanceID: $0.value.description, seq: $0.sequence)
        })
    case .biqliCached(let params):
      worker.cachedBiqli(
        params.namespace, by: call.subject,
        call.answer { found in
          BiqliCachedResult(
            result: found.value.map { String(decoding: $0.json, as: UTF8.self) },
            seq: found.sequence)
        })
    case .biqliWindow(let params):
      worker.biqliWindow(
        params.namespace, by: call.subject, call.answer { BiqliWindowResult($0) })
    case .biqliReset(let params):
      worker.resetBiqli(
        params.namespace, by: call.subject,
        call.answer { BiqliResetResult(wasThere: $0.value, seq: $0.sequence) })
    case .biqliPending(let params):
      worker.pendingBiqli(
        params.namespace, by: call.subject, call.answer { BiqliPendingResult($0) })
    default:
      call.fail(RPCError(.internalError))
    }
  }

  private func openBiqli(_ params: BiqliOpenParams, _ call: Call) throws(VaultError) {
    let (marker, appID, key) = try biqli { () throws(BiqliError) in
      (
        try BiqliMarker(params.marker), try BiqliAppID(params.appID),
        try params.publishableKey.map { text throws(BiqliError) in
          try BiqliPublishableKey(text)
        }
      )
    }
    worker.openBiqli(
      params.namespace, marker: marker, appID: appID, publishableKey: key, by: call.subject,
      call.answer { opened in
        BiqliOpenResult(
          opening: VaultAPI.BiqliOpening(opened.value.opening),
          publishableKey: opened.value.publishableKey?.description, seq: opened.sequence)
      })
  }

  private func captureBiqli(_ params: BiqliCaptureParams, _ call: Call) throws(VaultError) {
    let answer: VaultWorker.Answer<(value: Bool, sequence: Int64)> = call.answer {
      BiqliCaptureResult(replaced: $0.value, seq: $0.sequence)
    }
    if let text = params.link {
      let link = try biqli { () throws(BiqliError) in
        try text.bytes.withBytes { text throws(BiqliError) in try BiqliDeepLink(text) }
      }
      worker.captureBiqli(link, params.namespace, by: call.subject, answer)
    } else if let text = params.token {
      let token = try biqli { () throws(BiqliError) in
        try text.bytes.withBytes { text throws(BiqliError) in try BiqliHandoffToken(text) }
      }
      worker.captureBiqli(token, params.namespace, by: call.subject, answer)
    } else {
      // The decoder sees to it that one of them is there.
      call.fail(RPCError(.internalError))
    }
  }

  private func beginBiqli(_ params: BiqliBeginParams, _ call: Call) throws(VaultError) {
    let fields = try biqli { () throws(BiqliError) in
      try BiqliRequestFields(
        platform: BiqliEngine.BiqliPlatform(params.platform),
        isProbabilisticAllowed: params.probabilisticAllowed,
        domain: params.domain.map { text throws(BiqliError) in try BiqliDomain(text) },
        appVersion: params.appVersion, osVersion: params.systemVersion,
        sdkVersion: params.sdkVersion)
    }
    worker.beginBiqli(
      fields, params.namespace, by: call.subject,
      call.answer(secret: { begun throws(SecureMemoryError) in try BiqliBeginResult(begun) }))
  }

  private func completeBiqli(_ params: BiqliCompleteParams, _ call: Call) throws(VaultError) {
    let event = try biqli { () throws(BiqliError) in try BiqliEventID(params.eventID) }
    let answer = try biqli { () throws(BiqliError) in
      try params.result.bytes.withBytes { text throws(BiqliError) in try BiqliAnswer(text) }
    }
    // Made now: when the event is settled it is late to find that there is no memory for it.
    var receipt: SecretBox?
    if let found = answer.receipt { receipt = try SecretBox(copying: found.bytes) }
    let made = receipt
    worker.completeBiqli(
      event, with: answer, params.namespace, by: call.subject,
      call.answer(secret: { completed in
        BiqliCompleteResult(
          outcome: BiqliCompletionOutcome(completed.value.report),
          receipt: completed.value.receipt == nil ? nil : made, seq: completed.sequence)
      }))
  }

  private func failBiqli(_ params: BiqliFailParams, _ call: Call) throws(VaultError) {
    let (event, failure) = try biqli { () throws(BiqliError) in
      (
        try BiqliEventID(params.eventID),
        try BiqliFailure(status: params.status.map { Int(clamping: $0) }, code: params.code)
      )
    }
    worker.failBiqli(
      event, failure, params.namespace, by: call.subject,
      call.answer {
        BiqliFailResult(outcome: BiqliFailureOutcome($0.value), seq: $0.sequence)
      })
  }

  /// Checks parameters with the engine, and tells its refusals in the vault's words.
  private func biqli<Value>(
    _ body: () throws(BiqliError) -> Value
  ) throws(VaultError) -> Value {
    do { return try body() } catch { throw VaultError(error) }
  }
}
