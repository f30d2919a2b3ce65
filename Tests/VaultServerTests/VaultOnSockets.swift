import AccessPolicy
import Foundation
import SecureMemory
import Synchronization
import Testing
import VaultCrypto
import VaultServer

@testable import VaultCore

/// Holds finished signatures between computing and numbering.
final class Gate: Sendable {
  private let isClosed = Atomic(false)
  private let reached = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  var hooks: VaultHooks {
    var hooks = VaultHooks()
    hooks.computed = { [self] method in
      guard isClosed.load(ordering: .acquiring), method.description == "key.sign" else { return }
      reached.signal()
      opened.wait()
    }
    return hooks
  }

  func close() { isClosed.store(true, ordering: .releasing) }

  func waitUntilReached() {
    if reached.wait(timeout: .now() + 60) != .success { Issue.record("Nothing was held.") }
  }

  func open() {
    isClosed.store(false, ordering: .releasing)
    opened.signal()
  }
}

/// A real vault behind real sockets, in this process.
final class VaultOnSockets {
  private let directory: TemporaryDirectory
  let vault: Vault
  private let server: Server
  private let ended = DispatchSemaphore(value: 0)

  /// Makes a vault and serves it.
  ///
  /// - Parameters:
  ///   - gate: where calls are held.
  ///   - admin: whom the first policy names; by default the user of the tests.
  /// - Throws: whatever kept it from being served.
  init(_ gate: Gate = Gate(), admin: String = "user:\(geteuid())") throws {
    try? SecureHeap.start(bytes: 1 << 20)
    directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    let secret = try SecretBytes(random: 32)
    var draft = try VaultDraft(created: SystemClock().wallSeconds())
    try draft.addSlot(try UnsealSecret(keyFile: try secret.duplicate()), label: "first")
    let admin = try #require(FirstAdmin(admin))
    try VaultDirectory.initialise(at: data, draft, firstAdmin: admin)

    vault = try Vault(VaultLocation(directory: data), hooks: gate.hooks)
    let unsealed = DispatchSemaphore(value: 0)
    let opening = try OpeningSecret(.keyFile, secret)
    vault.unseal(opening, slot: nil, by: .daemon) { result in
      if case .failure(let error) = result { Issue.record(error) }
      unsealed.signal()
    }
    unsealed.wait()

    var configuration = Configuration()
    // The thread of the held call stands still; the revocation comes in by the other.
    configuration.ioThreads = 2
    let admission = Admission(configuration)
    server = try Server(
      configuration: configuration,
      sockets: try ListeningSocket.open(runtime: directory.path + "/run"),
      service: VaultService(vault, admission: admission, version: Version.current),
      admission: admission, log: { _, _ in })
    let (server, ended) = (server, ended)
    Thread.detachNewThread {
      do { try server.run() } catch { print("the server ended: \(error)") }
      ended.signal()
    }
  }

  func path(_ endpoint: Endpoint) -> String {
    "\(directory.path)/run/\(endpoint)/vault.sock"
  }

  deinit {
    server.stop()
    ended.wait()
    vault.close()
  }
}

extension VaultOnSockets {
  /// The parameters of `policy.set` for a policy that grants the user of the tests some methods, and
  /// whom `more` names some others.
  static func policy(
    _ granted: String, more: String? = nil, methods: String = "monitor",
    namespaces: String = "**", limit: String = ""
  ) -> String {
    var lines = [
      "policy 1", "allow user:\(geteuid())", "methods \(granted)", "namespaces **",
    ]
    if let more { lines += [more, "methods \(methods)", "namespaces \(namespaces)", limit] }
    return #"{"policy":"\#(lines.joined(separator: #"\n"#))"}"#
  }
}

extension TestClient {
  /// A request.
  static func line(_ method: String, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n"
  }

  /// Sends a request and waits for the next line.
  func ask(_ method: String, _ params: String = "{}") -> String? {
    send(Self.line(method, params))
    return line()
  }

  /// The same, read.
  func object(_ method: String, _ params: String = "{}") throws -> [String: Any]? {
    guard let line = ask(method, params) else { return nil }
    return try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
  }
}
