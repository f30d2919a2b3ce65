import Glibc

/// A throw-away vault with a daemon of its own.
final class BenchVault {
  /// Where a vault's parts are.
  let data: String
  let runtime: String
  private let keyFile: String
  private let errors: String
  private let programs: Programs
  private var daemon: ChildProcess?

  /// Makes a vault in a directory of its own below `directory`; nothing runs yet.
  init(_ name: String, in directory: WorkDirectory, _ programs: Programs) throws(BenchFailure) {
    let place = "\(directory.path)/\(name)"
    guard unsafe mkdir(place, 0o711) == 0 else { throw BenchFailure("\(place) cannot be made") }
    data = "\(place)/data"
    runtime = "\(place)/run"
    keyFile = "\(place)/key"
    errors = "\(place)/errors"
    self.programs = programs
    try ChildProcess(
      programs.vaultctl,
      [
        "init", "--data", data, "--key-file", keyFile, "--no-recovery", "--admin",
        "user:\(geteuid())",
      ], errors: errors
    ).finish()
  }

  /// The socket for everyone, and the one for administrators.
  var clientSocket: String { "\(runtime)/client/vault.sock" }
  var adminSocket: String { "\(runtime)/admin/vault.sock" }

  /// The process of the daemon.
  func facts() throws(BenchFailure) -> ProcessFacts {
    guard let daemon else { throw BenchFailure("no daemon runs") }
    return ProcessFacts(processID: daemon.processID)
  }

  /// Starts the daemon with its key file.
  ///
  /// - Returns: the nanoseconds until it first answered.
  @discardableResult
  func start() throws(BenchFailure) -> Double {
    try Interruption.check()
    let rights = geteuid() == 0 ? ["--allow-root"] : []
    let begin = Moment.now
    let daemon = try ChildProcess(
      programs.vaultd,
      ["--data", data, "--runtime", runtime, "--key-file", keyFile] + rights, errors: errors)
    self.daemon = daemon
    while begin.elapsed < 60e9 {
      if let connection = try? LoadConnection(clientSocket) {
        try connection.ask(.health)
        return begin.elapsed
      }
      guard daemon.isRunning else { throw daemon.failure }
      usleep(200)
    }
    throw BenchFailure("vaultd does not answer")
  }

  /// Ends the daemon in order.
  func stop() {
    daemon?.end()
    daemon = nil
  }

  /// Runs `vaultctl` against the daemon.
  func control(_ words: [String]) throws(BenchFailure) {
    try ChildProcess(
      programs.vaultctl, words + ["--runtime", runtime], errors: "\(errors)-control"
    ).finish()
  }
}

/// The programs that are measured, and this one.
struct Programs {
  let vaultd: String
  let vaultctl: String
  let own: String

  /// Finds them.
  ///
  /// - Parameter directory: where they are, beside this program unless given.
  /// - Throws: ``BenchFailure`` when one is not there.
  init(in directory: String?) throws(BenchFailure) {
    own = try SystemText.ownPath()
    let place = directory ?? String(own[..<(own.lastIndex(of: "/") ?? own.endIndex)])
    vaultd = "\(place)/vaultd"
    vaultctl = "\(place)/vaultctl"
    for path in [vaultd, vaultctl] {
      guard unsafe access(path, X_OK) == 0 else {
        throw BenchFailure("\(path): \(SystemText.error(errno)); see --binaries")
      }
    }
  }
}
