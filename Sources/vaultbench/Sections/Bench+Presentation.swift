import VaultCrypto

/// Aliro presentations over NFC from SELECT to AUTH1, with this program as the readers.
extension Bench {
  /// What the device's side has to compute.
  private static let primitives: [RawOperation] = [.generate, .verify, .agree, .sign]
  /// How many go on at once; a connection may have no more open.
  private static let abreast = 16

  func measurePresentations() throws(BenchFailure) {
    do throws(VaultCryptoError) { try SecureHeap.start(bytes: 256 << 10) } catch {
      throw BenchFailure("memory for keys cannot be locked: see ulimit -l")
    }
    let vault = try BenchVault("presentation", in: memory, programs)
    try vault.start()
    let meeting = try BenchMeeting(vault)
    let facts = try vault.facts()
    var raw = Series()
    var (single, abreast) = (Series(), Series())
    for _ in 0..<count(9, quick: 1) {
      try Interruption.check()
      var sum = 0.0
      for operation in Self.primitives {
        sum += try self.raw.cost(of: operation, milliseconds: count(60, quick: 5)).processor
      }
      raw.add(sum)
      single.add(try cost(of: meeting, facts, count(100, quick: 1), abreast: 1) / sum)
      abreast.add(
        try cost(of: meeting, facts, count(12, quick: 1), abreast: Self.abreast) / sum)
    }
    report.add(
      Figure(
        "raw_presentation", "key pair, verification, agreement and signature, raw",
        raw.median / 1e3, "µs"))
    report.add(
      Figure(
        "presentation", "presentation, processor of the daemon / raw", single.median, "",
        .atMost(1.3)))
    report.add(
      Figure(
        "presentation_abreast", "the same, \(Self.abreast) at once", abreast.median, "",
        .atMost(1.3)))
  }

  private func cost(
    of meeting: BenchMeeting, _ facts: ProcessFacts, _ times: Int, abreast: Int
  ) throws(BenchFailure) -> Double {
    let before = try facts.processorTime()
    for _ in 0..<times { try meeting.meet(abreast) }
    return (try facts.processorTime() - before) / Double(times * abreast)
  }
}
