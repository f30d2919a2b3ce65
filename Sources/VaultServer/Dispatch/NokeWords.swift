import NokeEngine
import VaultAPI
import VaultCore
import WireCoding

// What the vault knows of Nokē locks, in the words of the wire.

extension NokePairState {
  init(_ role: NokeRole) {
    self =
      switch role {
      case .active: .active
      case .pending: .pending
      case .former: .former
      }
  }
}

extension NokeRole {
  init(_ state: NokePairState) {
    self =
      switch state {
      case .active: .active
      case .pending: .pending
      case .former: .former
      }
  }
}

extension NokeRotationResult {
  init(_ rotated: (value: NokeRotated, sequence: Int64)) {
    self.init(
      active: rotated.value.active, pending: rotated.value.pending, former: rotated.value.former,
      seq: rotated.sequence)
  }
}

extension NokeLockEntry {
  init(_ lock: NokeDescription) {
    self.init(
      mac: lock.mac.description,
      environment: lock.environment == .production ? .production : .sandbox,
      pairs: lock.pairs.map { NokePairEntry($0) })
  }
}

extension NokePairEntry {
  fileprivate init(_ pair: NokePairDescription) {
    self.init(
      generation: pair.generation, state: NokePairState(pair.role), fingerprint: pair.fingerprint,
      stored: Timestamp(clamping: pair.stored),
      retired: pair.retired.map { Timestamp(clamping: $0) }, notBefore: pair.validity.notBefore,
      notAfter: pair.validity.notAfter,
      schedule: pair.validity.schedule.map { schedule in
        WeeklySchedule(
          windows: schedule.windows.map(\.description),
          utcOffsetMinutes: Int64(schedule.utcOffsetMinutes))
      }, stale: pair.isStale, successes: pair.successes, usable: pair.refusal == nil,
      reason: pair.refusal.map { RPCErrorCode($0) })
  }
}
