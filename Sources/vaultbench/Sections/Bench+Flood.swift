import Glibc

/// A caller within its rights beside one that floods the vault.
extension Bench {
  private static let key = "bench/shared"
  /// Two users that need not exist: the policy and the kernel go by the number.
  private static let quietUser: uid_t = 61_001
  private static let floodUser: uid_t = 61_002
  /// Calls a second that the policy lets the flood have.
  private static let allowed = 200

  func measureFlood() throws(BenchFailure) {
    guard geteuid() == 0 else {
      return report.skip(.flood, "it takes root to start clients of two users")
    }
    let vault = try makeVault("flood", in: memory, Self.key)
    try apply(Self.policy, vault)
    var (alone, busy, flooded) = (Trips(), Trips(), Trips())
    var taken = Series()
    var asked = Series()
    let seconds = options.isQuick ? 0.1 : 3.0
    for _ in 0..<count(3, quick: 1) {
      _ = try together(vault, [], seconds, &alone)
      _ = try together(vault, [.spin, .spin], seconds, &busy)
      for numbers in try together(vault, [.flood, .flood], seconds, &flooded) {
        asked.add(numbers[0] / seconds)
        taken.add((numbers[0] - numbers[1]) / seconds)
      }
    }
    add("alone", "quiet caller alone", alone)
    add("busy", "beside two busy processes", busy)
    add("flood", "beside two flooding connections", flooded)
    report.add(
      Figure("flood_asked", "calls of a flooding connection", asked.median, "/s"))
    // Both connections belong to one user; what it may save up counts besides.
    let most = Double(Self.allowed) * (1 + 1 / seconds)
    report.add(
      Figure(
        "flood_taken", "calls of the flood let through / its rate", 2 * taken.median / most, "",
        .atMost(1.1)))
  }

  /// Round trips of the quiet caller.
  private struct Trips {
    var median = Series()
    var tail = Series()
  }

  private func add(_ name: String, _ title: String, _ trips: Trips) {
    report.add(
      Figure("quiet_\(name)_median", "\(title), median", trips.median.median / 1e3, "µs"))
    report.add(
      Figure("quiet_\(name)_p99", "\(title), 99th percentile", trips.tail.median / 1e3, "µs"))
  }

  private static var policy: String {
    """
    policy 1
    allow user:\(geteuid())
      methods admin
      namespaces **
    allow user:\(quietUser)
      methods key.sign
      namespaces **
    allow user:\(floodUser)
      methods key.sign
      namespaces **
      rate \(allowed) burst \(allowed)

    """
  }

  private func apply(_ policy: String, _ vault: BenchVault) throws(BenchFailure) {
    let path = "\(vault.runtime).policy"
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("open", errno) }
    let octets = Array(policy.utf8)
    let isWritten = unsafe write(file, octets, octets.count) == octets.count
    close(file)
    guard isWritten else { throw .system("write", errno) }
    try vault.control(["policy", "apply", path])
  }

  /// Runs a quiet caller beside others; gives what each of those told.
  private func together(
    _ vault: BenchVault, _ others: [FloodClient.Role], _ seconds: Double, _ trips: inout Trips
  ) throws(BenchFailure) -> [[Double]] {
    try Interruption.check()
    var clients: [ChildProcess] = []
    for role in [.quiet] + others {
      let user = role == .flood ? Self.floodUser : Self.quietUser
      let words = FloodClient.words(
        role, as: user, vault.clientSocket, Self.key, seconds: seconds)
      clients.append(
        try ChildProcess(programs.own, words, errors: "\(vault.runtime).\(role)"))
    }
    for client in clients { _ = try client.line() }
    for client in clients { try client.send("go") }
    var told: [[Double]] = []
    for client in clients {
      let numbers = try client.line().split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2 else { throw client.failure }
      told.append(numbers)
    }
    trips.median.add(told[0][0])
    trips.tail.add(told[0][1])
    return Array(told.dropFirst())
  }
}
