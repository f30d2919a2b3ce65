import Glibc

/// A process of another user, or of none, that loads the vault or the machine.
struct FloodClient {
  /// The word that starts the program as such a client.
  static let word = "flood-client"

  /// What it does.
  enum Role: String {
    /// Keeps 64 calls in flight, whatever the answers are.
    case flood
    /// Makes one call every two milliseconds.
    case quiet
    /// Computes, and leaves the vault alone.
    case spin
  }

  private let role: Role
  private let user: uid_t
  private let socket: String
  private let request: LoadRequest
  private let seconds: Double

  /// The words that make a client of this kind.
  static func words(
    _ role: Role, as user: uid_t, _ socket: String, _ namespace: String, seconds: Double
  ) -> [String] {
    [word, role.rawValue, "\(user)", socket, namespace, "\(seconds)"]
  }

  init(_ words: [String]) throws(BenchFailure) {
    guard words.count == 5, let role = Role(rawValue: words[0]), let user = uid_t(words[1]),
      let seconds = Double(words[4])
    else { throw BenchFailure("this word is for vaultbench itself") }
    self.role = role
    self.user = user
    socket = words[2]
    request = .sign(words[3])
    self.seconds = seconds
  }

  /// Does it, and tells what it came to in a line of numbers.
  func run() throws(BenchFailure) {
    guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else {
      throw .system("setuid", errno)
    }
    // Everyone is ready before anyone begins.
    StandardStream.write("ready\n")
    guard readLine() != nil else { return }
    let end = Moment.now.advanced(seconds: seconds)
    switch role {
    case .flood:
      let outcome = try LoadConnection(socket).flood(request, window: 64, until: end)
      StandardStream.write("\(outcome.answers) \(outcome.errors)\n")
    case .quiet: try stayQuiet(until: end)
    case .spin:
      var number: UInt64 = 1
      while !end.hasPassed {
        for _ in 0..<10_000 { number = number &* 6_364_136_223_846_793_005 &+ 1 }
      }
      StandardStream.write("\(number & 1) 0\n")
    }
  }

  private func stayQuiet(until end: Moment) throws(BenchFailure) {
    let connection = try LoadConnection(socket)
    var trips = Series()
    while !end.hasPassed {
      let start = Moment.now
      try connection.ask(request)
      trips.add(start.elapsed)
      usleep(2_000)
    }
    StandardStream.write("\(trips.median) \(trips.quantile(0.99))\n")
  }
}
