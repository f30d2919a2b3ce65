import SimulatedReader
import VaultAPI
import VaultClient
import VaultCrypto
import WireCoding

/// Aliro presentations over NFC from SELECT to AUTH1, with this program as the reader.
extension Bench {
  /// What the device's side has to compute.
  private static let primitives: [RawOperation] = [.generate, .verify, .agree, .sign]

  func measurePresentations() throws(BenchFailure) {
    do throws(VaultCryptoError) { try SecureHeap.start(bytes: 64 << 10) } catch {
      throw BenchFailure("memory for keys cannot be locked: see ulimit -l")
    }
    let vault = try BenchVault("presentation", in: memory, programs)
    try vault.start()
    var meeting = try BenchMeeting.make(vault)
    let facts = try vault.facts()
    var ratio = Series()
    var raw = Series()
    var cost = Series()
    for _ in 0..<count(9, quick: 1) {
      try Interruption.check()
      var sum = 0.0
      for operation in Self.primitives {
        sum += try self.raw.cost(of: operation, milliseconds: count(60, quick: 5)).processor
      }
      let times = count(150, quick: 1)
      let before = try facts.processorTime()
      for _ in 0..<times { try meeting.meet() }
      let each = (try facts.processorTime() - before) / Double(times)
      raw.add(sum)
      cost.add(each)
      ratio.add(each / sum)
    }
    report.add(
      Figure(
        "raw_presentation", "key pair, verification, agreement and signature, raw",
        raw.median / 1e3, "µs"))
    report.add(
      Figure(
        "presentation", "presentation, processor of the daemon", cost.median / 1e3, "µs"))
    report.add(
      Figure("presentation_ratio", "that / raw", ratio.median, "", .atMost(1.3)))
  }
}
