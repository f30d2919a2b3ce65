import SecureMemory
import VaultAPI
import VaultCore
import VaultCrypto
import WireCoding

/// Carries requests out and turns what the vault gives into results; one for each I/O thread.
final class Dispatcher {
  let vault: Vault
  let worker: VaultWorker
  /// What the configuration says of callers.
  let admission: Admission
  /// Counts the answers to the requests of its thread.
  let meter: RequestMeter
  private let version: String
  private let meters: ServerMeters

  init(
    vault: Vault, worker: VaultWorker, admission: Admission, version: String,
    meters: ServerMeters
  ) {
    self.vault = vault
    self.worker = worker
    self.admission = admission
    self.version = version
    self.meters = meters
    meter = meters.addRequestMeter()
  }

  /// Carries out one request, now or by other threads later.
  func carryOut(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .hello(let params): hello(params, call)
    case .health: call.succeed(HealthResult(ok: true))
    case .status: call.succeed(status)
    case .vaultMetrics: metrics(call)
    case .unseal(let params): unseal(params, call)
    case .seal:
      worker.seal(by: call.subject, call.answer { SealResult(state: .sealed, seq: $0) })
    case .slotList: worker.listSlots(by: call.subject, call.answer(Self.slots))
    case .slotAdd(let params): addSlot(params, call)
    case .slotRemove(let params):
      worker.removeSlot(
        params.slot, by: call.subject, call.answer { SlotRemoveResult(seq: $0.sequence) })
    case .clockAccept: worker.acceptClock(by: call.subject, call.answer(Self.clock))
    case .clockSetFloor(let params):
      worker.setClockFloor(params.time.seconds, by: call.subject, call.answer(Self.clock))
    case .policyGet, .policySet, .policyExplain: carryOutPolicy(request, call)
    case .auditTail, .auditExport, .auditCheckpoint, .auditArchive: carryOutAudit(request, call)
    case .namespaceCreate, .namespaceGet, .namespaceList, .namespaceConfigure, .namespaceSuspend,
      .namespaceResume, .namespaceRevoke:
      carryOutNamespace(request, call)
    case .keyPublic, .keyList, .keySign: carryOutKey(request, call)
    case .passStore, .passInfo, .passDelete: carryOutPass(request, call)
    case .presentationMatch, .presentationOpen, .presentationExchange, .presentationRequest,
      .presentationClose, .presentationSign:
      carryOutPresentation(request, call)
    case .nokeStore, .nokeInfo, .nokeUnlock, .nokeReport, .nokePromote, .nokeDemote, .nokeDelete:
      carryOutNoke(request, call)
    case .biqliOpen, .biqliInstance, .biqliCapture, .biqliBegin, .biqliComplete, .biqliFail,
      .biqliCached, .biqliWindow, .biqliReset, .biqliPending, .biqliDrop:
      carryOutBiqli(request, call)
    case .flinkeyStore, .flinkeyToken, .flinkeyRenewBegin, .flinkeyRenewComplete, .flinkeyBlock,
      .flinkeyUnblock, .flinkeyForget, .flinkeyBoxID:
      carryOutFlinkey(request, call)
    }
  }

  /// Tells the metrics, on another thread: the file systems that are asked may hang.
  private func metrics(_ call: Call) {
    let (vault, meters) = (vault, meters)
    do throws(VaultError) {
      try vault.readSlowly(for: call.subject) {
        call.succeed(VaultMetricsResult(text: MetricsText.text(meters.snapshot(of: vault))))
      }
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  private func hello(_ params: HelloParams, _ call: Call) {
    if let offered = params.protocols, !offered.contains(1) {
      call.fail(
        RPCError(.unsupported, message: "This server speaks protocol 1 only.", field: "protocol"))
      return
    }
    call.succeed(HelloResult(version: version, protocolVersion: 1, protocols: [1]))
  }

  private var status: StatusResult {
    let status = vault.committer.status
    let clock = vault.committer.clockReading
    return StatusResult(
      state: vault.isUnsealed ? .unsealed : .sealed, vaultId: vault.vaultID, version: version,
      started: Timestamp(clamping: vault.started), clock: Timestamp(clamping: clock.time),
      machineClock: Timestamp(clamping: clock.wall), clockState: ClockState(clock.standing),
      audit: auditStatus(status), erasurePending: status.erasurePending, damage: status.damage)
  }

  private func unseal(_ params: UnsealParams, _ call: Call) {
    do throws(VaultError) {
      let secret = try OpeningSecret(passphrase: params.passphrase, key: params.key)
      let checkpoint = try keptCheckpoint(params.checkpoint)
      let vault = vault
      worker.unseal(
        secret, slot: params.slot, checkpoint: checkpoint, by: call.subject,
        call.answer { opened in
          UnsealResult(
            state: .unsealed, slot: opened.value.slot, kind: VaultAPI.SlotKind(opened.value.kind),
            damage: vault.committer.status.damage)
        })
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  private static func clock(_ told: (value: ClockReading, sequence: Int64)) -> ClockResult {
    ClockResult(
      clock: Timestamp(clamping: told.value.time), clockState: ClockState(told.value.standing),
      seq: told.sequence)
  }

  private func addSlot(_ params: SlotAddParams, _ call: Call) {
    do throws(VaultError) {
      let secret = try OpeningSecret(passphrase: params.passphrase, key: params.key)
      worker.addSlot(
        secret, label: params.label, by: call.subject,
        call.answer { SlotAddResult(slot: $0.value, seq: $0.sequence) })
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  private static func slots(_ listings: [SlotListing]) -> SlotListResult {
    SlotListResult(
      slots: listings.map { listing in
        SlotEntry(
          slot: listing.slot,
          header: listing.header.map { header in
            SlotEntry.Header(
              kind: VaultAPI.SlotKind(header.kind), label: header.label,
              created: Timestamp(clamping: header.created),
              argon2: header.parameters.map {
                Argon2Cost(
                  operations: Int64(clamping: $0.operations),
                  memoryKib: Int64(clamping: $0.memoryKiB))
              })
          })
      })
  }
}

extension VaultAPI.SlotKind {
  /// The wire's word for a kind of slot.
  fileprivate init(_ kind: VaultCore.SlotKind) {
    self = kind == .passphrase ? .passphrase : .keyFile
  }
}

extension ClockState {
  /// The wire's word for what is known of the clock.
  fileprivate init(_ standing: ClockReading.Standing) {
    self =
      switch standing {
      case .certain: .certain
      case .behind: .behind
      case .held: .held
      }
  }
}

extension OpeningSecret {
  /// Takes the one of two parameters that is there; the decoder saw to it that one is.
  fileprivate convenience init(
    passphrase: SecretBox?, key: SecretBox?
  ) throws(VaultError) {
    if let passphrase {
      try self.init(.passphrase, passphrase.copy())
    } else if let key {
      try self.init(.keyFile, key.copy())
    } else {
      throw VaultError(.invalidParameters, "a passphrase or a key is needed")
    }
  }
}

extension SecretBox {
  /// A copy that the vault may keep.
  func copy() throws(VaultError) -> SecretBytes {
    do { return try bytes.duplicate() } catch {
      throw VaultError(.busy, "no locked memory is left: try again", retry: true)
    }
  }
}
