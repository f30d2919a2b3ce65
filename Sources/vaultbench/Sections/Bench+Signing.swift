/// Signatures with 64 calls in flight on one connection.
extension Bench {
  private static let key = "bench/signer"
  private static let window = 64

  /// What one slice of load came to.
  private struct Load {
    /// Processor time of the daemon for each answer, in nanoseconds.
    let processor: Double
    /// Answers a second.
    let rate: Double
  }

  func measureSigning() throws(BenchFailure) {
    let vaults = (
      durable: try makeVault("signing", in: durable, Self.key),
      relaxed: try makeVault("signing", in: memory, Self.key)
    )
    let connections = (
      durable: try LoadConnection(vaults.durable.clientSocket),
      relaxed: try LoadConnection(vaults.relaxed.clientSocket)
    )
    var raw = Series()
    var cost = (durable: Series(), relaxed: Series())
    var rate = (durable: Series(), relaxed: Series())
    var ratio = Series()
    let rounds = count(11, quick: 1)
    for _ in 0..<rounds {
      let before = try self.raw.cost(of: .sign, milliseconds: count(150, quick: 10)).processor
      let relaxed = try load(vaults.relaxed, connections.relaxed)
      let durable = try load(vaults.durable, connections.durable)
      let after = try self.raw.cost(of: .sign, milliseconds: count(150, quick: 10)).processor
      let own = (before + after) / 2
      raw.add(own)
      cost.relaxed.add(relaxed.processor / own)
      cost.durable.add(durable.processor / own)
      rate.relaxed.add(relaxed.rate)
      rate.durable.add(durable.rate)
      ratio.add(durable.rate / relaxed.rate)
    }
    report.add(Figure("raw_sign", "raw P-256 signature, processor", raw.median / 1e3, "µs"))
    report.add(
      Figure(
        "sign_cpu", "key.sign, processor of the daemon / raw", cost.durable.median, "",
        .atMost(1.4)))
    report.add(
      Figure(
        "sign_cpu_relaxed", "the same where a sync is free", cost.relaxed.median, "",
        .atMost(1.4)))
    report.add(Figure("sign_rate", "key.sign, 64 in flight", rate.durable.median, "/s"))
    report.add(
      Figure("sign_rate_relaxed", "the same where a sync is free", rate.relaxed.median, "/s"))
    report.add(
      Figure("sign_rate_ratio", "durable rate / relaxed rate", ratio.median, "", .atLeast(0.85)))
  }

  private func load(
    _ vault: BenchVault, _ connection: LoadConnection
  ) throws(BenchFailure) -> Load {
    try Interruption.check()
    let facts = try vault.facts()
    let before = try facts.processorTime()
    let start = Moment.now
    let outcome = try connection.flood(
      .sign(Self.key), window: Self.window,
      until: start.advanced(seconds: options.isQuick ? 0.02 : 0.6))
    let elapsed = start.elapsed
    let spent = try facts.processorTime() - before
    guard outcome.errors == 0 else { throw BenchFailure("\(outcome.errors) signatures failed") }
    let answers = Double(outcome.answers)
    return Load(processor: spent / answers, rate: answers / elapsed * 1e9)
  }
}
