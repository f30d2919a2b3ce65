import Foundation
import Glibc

/// A throw-away vault with a daemon of its own; both go with the object.
final class TestVault {
  /// Something the harness needs did not work; the text says what.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let directory: TemporaryDirectory
  let data: String
  var runtime: String { directory.path + "/run" }
  var keyFile: String { directory.path + "/key" }
  var recoveryFile: String { directory.path + "/recovery" }
  private(set) var daemon: Program?

  /// Makes a vault whose first slot is a key file and whose second is the recovery key, and starts
  /// its daemon unsealed.
  convenience init() throws {
    try self.init(initialising: ["--key-file", "key", "--recovery-file", "recovery"])
    try start()
  }

  /// Makes a vault, and starts nothing.
  ///
  /// - Parameters:
  ///   - options: the slots of `vaultctl init`; words that are file names are put in the directory.
  ///   - passphrase: what standard input holds.
  ///   - data: the data directory, if it is to be elsewhere.
  /// - Throws: ``Failure`` when `vaultctl` fails.
  init(initialising options: [String], passphrase: String = "", data: String? = nil) throws {
    directory = try TemporaryDirectory()
    self.data = data ?? directory.path + "/data"
    let placed = options.map { $0.hasPrefix("-") ? $0 : "\(directory.path)/\($0)" }
    let outcome = try Program(
      BuiltProducts.vaultctl,
      ["init", "--data", self.data, "--admin", "user:\(geteuid())"] + placed
    ).run(input: passphrase)
    guard outcome.isGood else {
      throw Failure(description: "init ended with \(outcome.status): \(outcome.errors)")
    }
  }

  deinit {
    kill()
  }

  /// The arguments that the daemon is started with.
  func daemonArguments(unsealed: Bool) -> [String] {
    let arguments = ["--data", data, "--runtime", runtime]
    return arguments + (geteuid() == 0 ? ["--allow-root"] : [])
      + (unsealed ? ["--key-file", keyFile] : [])
  }

  /// Starts the daemon and returns when it serves.
  func start(unsealed: Bool = true, _ more: [String] = []) throws {
    try start(Program(BuiltProducts.vaultd, daemonArguments(unsealed: unsealed) + more))
  }

  /// Starts a daemon that is put together by the caller and returns when it serves.
  func start(_ daemon: Program) throws {
    try daemon.start()
    self.daemon = daemon
    let deadline = Date(timeIntervalSinceNow: 30)
    while Date() < deadline {
      if let socket = try? VaultSocket(path(.admin)),
        (try? socket.call("health").flag("ok")) == true
      {
        return
      }
      guard daemon.isRunning else { break }
      usleep(1_000)
    }
    let state = daemon.isRunning ? "does not answer" : "has ended"
    throw Failure(description: "vaultd \(state): \(daemon.errors)")
  }

  /// Asks the daemon for its orderly end.
  @discardableResult
  func stop() throws -> Outcome {
    guard let daemon else { throw Failure(description: "no daemon runs") }
    daemon.signal(SIGTERM)
    self.daemon = nil
    return daemon.finish()
  }

  /// Ends the daemon at once.
  func kill() {
    daemon?.signal(SIGKILL)
    daemon?.finish()
    daemon = nil
  }

  /// The two sockets.
  enum Endpoint: String {
    case client, admin
  }

  func path(_ endpoint: Endpoint) -> String {
    "\(runtime)/\(endpoint.rawValue)/vault.sock"
  }

  func connect(_ endpoint: Endpoint = .client) throws -> VaultSocket {
    try VaultSocket(path(endpoint))
  }

  /// Runs `vaultctl` against this daemon.
  func control(_ arguments: String..., input: String = "") throws -> Outcome {
    try Program(BuiltProducts.vaultctl, arguments + ["--runtime", runtime]).run(input: input)
  }

  /// A script of the interoperability tests that is told both sockets.
  func script(_ name: String, _ arguments: [String] = []) -> Program {
    Program(
      interop: name,
      arguments + ["--client-socket", path(.client), "--admin-socket", path(.admin)])
  }

  /// Runs SQL on the stopped vault's database, behind its back.
  ///
  /// - Returns: what it gives, without the last line feed.
  @discardableResult
  func tamper(_ sql: String) throws -> String {
    let outcome = try Program("/usr/bin/sqlite3", ["\(data)/vault.db", sql]).run()
    guard outcome.isGood else { throw Failure(description: "sqlite3: \(outcome.errors)") }
    return String(outcome.output.dropLast())
  }
}

/// Looks at a condition until it holds, for thirty seconds at most.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: 30)
  while Date() < deadline {
    if try condition() { return true }
    usleep(1_000)
  }
  return false
}
