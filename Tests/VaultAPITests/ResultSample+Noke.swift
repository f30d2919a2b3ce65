import VaultAPI
import WireCoding

extension ResultSample {
  private static let time = Timestamp(clamping: 1_768_465_800)
  private static let mac = "CB:BC:87:3B:CB:D7"
  private static let fingerprint = String(repeating: "0a", count: 16)

  private static let pair = NokePairEntry(
    generation: 2, state: .former, fingerprint: fingerprint, stored: time, retired: time,
    notBefore: time, notAfter: time,
    schedule: WeeklySchedule(windows: ["mon,fri 22:00-06:00"], utcOffsetMinutes: -90), stale: true,
    successes: 3, usable: false, reason: .expired)

  static let noke: [ResultSample] = [
    ResultSample(
      method: .nokeStore,
      result: NokeStoreResult(
        mac: mac, generation: 2, state: .pending, stored: true, fingerprint: fingerprint, seq: 4)),
    ResultSample(
      method: .nokeInfo,
      result: NokeInfoResult(
        locks: [mac],
        lock: NokeLockEntry(
          mac: mac, environment: .production,
          pairs: [
            NokePairEntry(
              generation: 3, state: .active, fingerprint: fingerprint, stored: time, stale: false,
              successes: 0, usable: true), pair,
          ]))),
    ResultSample(method: .nokeInfo, result: NokeInfoResult(locks: []), isFull: false),
    ResultSample(
      method: .nokeUnlock,
      result: NokeUnlockResult(
        packet: String(repeating: "0f", count: 20), time: time, unixTime: 1_768_465_800,
        embedded: true, batteryMv: 2_820, generation: 2, state: .active, repeated: false, seq: 5)),
    ResultSample(
      method: .nokeReport,
      result: NokeReportResult(
        result: "shutting_down", lockState: "jammed_locking", timeout: true, generation: 2,
        promoted: false, stale: false, seq: 6)),
    ResultSample(
      method: .nokeReport,
      result: NokeReportResult(
        result: "success", generation: 2, promoted: true, stale: false, seq: 6), isFull: false),
    ResultSample(
      method: .nokePromote,
      result: NokeRotationResult(active: 2, pending: 3, former: [1], seq: 7)),
    ResultSample(
      method: .nokeDemote,
      result: NokeRotationResult(active: 1, pending: 2, former: [], seq: 8)),
    ResultSample(method: .nokeDelete, result: NokeDeleteResult(deleted: true, seq: 9)),
  ]
}
