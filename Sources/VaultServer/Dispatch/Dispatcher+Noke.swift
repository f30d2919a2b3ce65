import NokeEngine
import SecureMemory
import VaultAPI
import VaultCore
import WireCoding

// The methods about Nokē locks.
extension Dispatcher {
  func carryOutNoke(_ request: VaultRequest, _ call: Call) {
    do throws(VaultError) {
      switch request {
      case .nokeStore(let params): try storeNoke(params, call)
      case .nokeInfo(let params): try describeNoke(params, call)
      case .nokeUnlock(let params): try unlockNoke(params, call)
      case .nokeReport(let params): try reportNoke(params, call)
      case .nokePromote(let params):
        worker.promoteNoke(
          try mac(params.mac), params.namespace, by: call.subject,
          call.answer { NokeRotationResult($0) })
      case .nokeDemote(let params):
        worker.demoteNoke(
          try mac(params.mac), params.namespace, by: call.subject,
          call.answer { NokeRotationResult($0) })
      case .nokeDelete(let params):
        worker.deleteNoke(
          try mac(params.mac), params.namespace, by: call.subject,
          call.answer { NokeDeleteResult(deleted: $0.value, seq: $0.sequence) })
      default: call.fail(RPCError(.internalError))
      }
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  private func storeNoke(_ params: NokeStoreParams, _ call: Call) throws(VaultError) {
    let mac = try mac(params.mac)
    let validity = try validity(params)
    let pair = try engine { () throws(NokeError) in
      SharedNokePair(
        try NokePair(
          offlineKey: params.offlineKey.bytes, unlockCommand: params.unlockCommand.bytes))
    }
    let grant = NokeGrant(
      mac: mac, pair: pair,
      environment: params.environment == .production ? .production : .sandbox, validity: validity)
    worker.storeNoke(
      grant, params.namespace, by: call.subject,
      call.answer { stored in
        NokeStoreResult(
          mac: mac.description, generation: stored.value.generation,
          state: NokePairState(stored.value.role), stored: !stored.value.isKnown,
          fingerprint: stored.value.fingerprint, seq: stored.sequence)
      })
  }

  private func validity(_ params: NokeStoreParams) throws(VaultError) -> NokeValidity {
    var schedule: NokeSchedule?
    if let weekly = params.schedule {
      schedule = try engine { () throws(NokeError) in
        var windows: [NokeWindow] = []
        for (index, text) in weekly.windows.enumerated() {
          windows.append(try NokeWindow(text, field: "schedule.windows[\(index)]"))
        }
        do throws(NokeError) {
          return try NokeSchedule(
            windows: windows, utcOffsetMinutes: Int(clamping: weekly.utcOffsetMinutes ?? 0))
        } catch {
          // The offset was checked on the way in.
          guard case .parameter(_, let due) = error else { throw error }
          throw .parameter("schedule.windows", due: due)
        }
      }
    }
    return try engine { () throws(NokeError) in
      try NokeValidity(
        notBefore: params.notBefore, notAfter: params.notAfter, schedule: schedule)
    }
  }

  private func describeNoke(_ params: NokeInfoParams, _ call: Call) throws(VaultError) {
    guard let text = params.mac else {
      worker.listNoke(
        params.namespace, by: call.subject,
        call.answer { NokeInfoResult(locks: $0.value.map(\.description)) })
      return
    }
    worker.describeNoke(
      try mac(text), params.namespace, by: call.subject,
      call.answer { NokeInfoResult(lock: NokeLockEntry($0.value)) })
  }

  private func unlockNoke(_ params: NokeUnlockParams, _ call: Call) throws(VaultError) {
    let request = NokeUnlockRequest(
      session: try session(params.session), embedsTime: params.embedTime,
      role: params.generation.map { NokeRole($0) }, identifier: params.requestId)
    worker.unlockNoke(
      request, try mac(params.mac), params.namespace, by: call.subject,
      call.answer { made in
        let unlocking = made.value
        return NokeUnlockResult(
          packet: unlocking.packet.description, time: unlocking.time,
          unixTime: unlocking.time.seconds, embedded: unlocking.isEmbedded,
          batteryMv: Int64(unlocking.batteryMillivolts), generation: unlocking.generation,
          state: NokePairState(unlocking.role), repeated: unlocking.isRepeated,
          seq: made.sequence)
      })
  }

  private func reportNoke(_ params: NokeReportParams, _ call: Call) throws(VaultError) {
    let response = try engine { () throws(NokeError) in try NokeResponse(params.response) }
    worker.reportNoke(
      response, of: try session(params.session), try mac(params.mac), params.namespace,
      by: call.subject,
      call.answer { noted in
        var result = NokeReportResult(
          result: response.word, generation: noted.value.generation,
          promoted: noted.value.isPromoted, stale: noted.value.isStale, seq: noted.sequence)
        if case .result(.shuttingDown(let state, let isTimeout)) = response {
          (result.lockState, result.timeout) = (state.word, isTimeout)
        }
        return result
      })
  }

  private func mac(_ text: String) throws(VaultError) -> NokeMAC {
    try engine { () throws(NokeError) in try NokeMAC(text) }
  }

  private func session(_ text: String) throws(VaultError) -> NokeSession {
    try engine { () throws(NokeError) in try NokeSession(text) }
  }

  private func engine<Value>(
    _ body: () throws(NokeError) -> Value
  ) throws(VaultError) -> Value {
    do { return try body() } catch { throw VaultError(error) }
  }
}
