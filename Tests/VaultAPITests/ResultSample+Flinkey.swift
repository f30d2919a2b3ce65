import SecureMemory
import VaultAPI
import WireCoding

/// The results of the methods of flinkey.
extension ResultSample {
  private static let end = Timestamp(clamping: 1_768_465_800)
  private static let box = (id: "C1-08-F0-94", physicalLockID: "BADBCPCU")

  /// A standing with all that any state may have.
  private static func full(_ token: SecretBox? = nil) -> FlinkeyUserStanding {
    FlinkeyUserStanding(
      state: "valid", token: token, expires: end, tapkeyUser: "ip:wma:7", step: "id_token",
      leasedFor: 60_000, reason: "exchange_refused", box: box)
  }

  static let flinkey: [ResultSample] = {
    guard let secret = try? SecretBytes(copying: [0x6B, 0x65, 0x79].span) else { return [] }
    let key = SecretBox(secret)
    var inputs = FlinkeyRenewBeginResult.Inputs()
    inputs.apiKey = key
    inputs.userName = key
    inputs.password = key
    inputs.accessToken = key
    inputs.sdkKey = key
    inputs.customerID = 4711
    inputs.userID = 7
    inputs.idToken = key
    var report = FlinkeyBoxReport()
    report.state = "drawer_open"
    report.drawerOpen = true
    report.drawerUnlocked = false
    report.batteryHundredths = 9365
    report.charging = false
    report.chargerConnected = true
    report.nfcTags = ["041858DA181390"]
    return [
      ResultSample(
        method: .flinkeyStore, result: FlinkeyStoreResult(replaced: true, dropped: 3, seq: 1)),
      ResultSample(
        method: .flinkeyToken, secret: FlinkeyTokenResult(standing: full(key), seq: 2)),
      ResultSample(
        method: .flinkeyToken,
        secret: FlinkeyTokenResult(standing: FlinkeyUserStanding(state: "blocked"), seq: 2),
        isFull: false),
      ResultSample(
        method: .flinkeyRenewBegin,
        secret: FlinkeyRenewBeginResult(
          work: FlinkeyRenewBeginResult.Work(
            lease: [UInt8](repeating: 9, count: 16), step: "api_token", expires: end,
            inputs: inputs), seq: 3)),
      ResultSample(
        method: .flinkeyRenewBegin, secret: FlinkeyRenewBeginResult(work: nil, seq: 3),
        isFull: false),
      ResultSample(
        method: .flinkeyRenewComplete,
        result: FlinkeyRenewCompleteResult(stored: true, standing: full(), seq: 4)),
      ResultSample(
        method: .flinkeyRenewComplete,
        result: FlinkeyRenewCompleteResult(
          stored: false, standing: FlinkeyUserStanding(state: "renewable", step: "api_token"),
          seq: 4), isFull: false),
      ResultSample(method: .flinkeyBlock, result: FlinkeyChangeResult(changed: true, seq: 5)),
      ResultSample(method: .flinkeyUnblock, result: FlinkeyChangeResult(changed: false, seq: 6)),
      ResultSample(method: .flinkeyForget, result: FlinkeyChangeResult(changed: true, seq: 7)),
      ResultSample(
        method: .flinkeyBoxID,
        result: FlinkeyBoxIDResult(
          boxID: box.id, physicalLockID: box.physicalLockID,
          command: ([UInt8](repeating: 1, count: 16), end), feedback: report, seq: 8)),
      ResultSample(
        method: .flinkeyBoxID,
        result: FlinkeyBoxIDResult(
          boxID: box.id, physicalLockID: box.physicalLockID, feedback: FlinkeyBoxReport(),
          seq: 8), isFull: false),
    ]
  }()
}
