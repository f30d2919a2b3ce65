/// The same work in a small vault and in a large one.
extension Bench {
  /// How many namespaces the small vault has.
  private static let few = 1_000

  /// What was measured of one vault.
  private struct Seen {
    var start = Series()
    var memory = Series()
    var clock = Series()
    var processor = Series()
  }

  func measureScale() throws(BenchFailure) {
    let few = min(Self.few, options.namespaces)
    let vaults = (
      small: try BenchVault("small", in: memory, programs),
      large: try BenchVault("large", in: memory, programs)
    )
    try fill(vaults.small, few)
    try fill(vaults.large, options.namespaces)
    var (small, large) = (Seen(), Seen())
    for round in 0..<count(7, quick: 1) {
      try look(at: vaults.small, few, round, &small)
      try look(at: vaults.large, options.namespaces, round, &large)
    }
    let size = "\(options.namespaces)"
    report.add(
      Figure(
        "cold_small", "first key.sign of a namespace, of \(few)", small.clock.median / 1e3, "µs"))
    report.add(
      Figure("cold_large", "the same of \(size)", large.clock.median / 1e3, "µs"))
    report.add(
      Figure(
        "cold_ratio", "\(size) / \(few), clock", large.clock.median / small.clock.median, "",
        .atMost(1.5)))
    report.add(
      Figure(
        "cold_cpu_ratio", "\(size) / \(few), processor of the daemon",
        large.processor.median / small.processor.median, "", .atMost(1.5)))
    report.add(
      Figure("start_small", "start to ready, \(few)", small.start.median / 1e6, "ms", .atMost(100)))
    report.add(
      Figure(
        "start_large", "start to ready, \(size)", large.start.median / 1e6, "ms", .atMost(100)))
    let mebibyte = 1_048_576.0
    report.add(
      Figure(
        "memory_small", "resident memory, idle, \(few)", small.memory.median / mebibyte, "MiB",
        .atMost(48)))
    report.add(
      Figure(
        "memory_large", "resident memory, idle, \(size)", large.memory.median / mebibyte, "MiB",
        .atMost(48)))
  }

  private static func name(_ index: Int) -> String { "bench/site-\(index % 512)/door-\(index)" }

  private func fill(_ vault: BenchVault, _ count: Int) throws(BenchFailure) {
    try vault.start()
    defer { vault.stop() }
    let step = 50_000
    for start in stride(from: 0, to: count, by: step) {
      if start > 0 { StandardStream.note("  \(start) of \(count) namespaces are made ...") }
      try LoadConnection(vault.clientSocket).sendAll(
        min(step, count - start), window: 256
      ) { .makeKey(Self.name(start + $0)) }
    }
  }

  /// Starts the daemon anew, so that it holds nothing, and signs once with each of some keys.
  private func look(
    at vault: BenchVault, _ count: Int, _ round: Int, _ seen: inout Seen
  ) throws(BenchFailure) {
    seen.start.add(try vault.start())
    defer { vault.stop() }
    let facts = try vault.facts()
    seen.memory.add(try facts.residentMemory())
    let connection = try LoadConnection(vault.clientSocket)
    let samples = min(count, self.count(300, quick: 20))
    let before = try facts.processorTime()
    // Spread over all of them, others in each round, none twice in one: a prime step apart.
    var place = round &* 7_919
    for _ in 0..<samples {
      place = (place &+ 1_000_003) % count
      let start = Moment.now
      try connection.ask(.sign(Self.name(place)))
      seen.clock.add(start.elapsed)
    }
    seen.processor.add((try facts.processorTime() - before) / Double(samples))
  }
}
