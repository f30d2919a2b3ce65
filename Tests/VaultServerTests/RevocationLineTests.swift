import AccessPolicy
import Foundation
import SecureMemory
import Synchronization
import Testing
import VaultCrypto
import VaultServer

@testable import VaultCore

/// The line in time that a revocation draws, seen from the sockets.
@Suite struct RevocationLineTests {
  @Test func `a finished signature is withheld when its namespace is revoked meanwhile`() throws {
    let gate = Gate()
    let server = try VaultOnSockets(gate)
    let gateway = try TestClient(server.path(.client))
    let admin = try TestClient(server.path(.admin))
    #expect(
      gateway.ask("key.public", #"{"namespace":"door","purpose":"signing"}"#)?
        .contains(#""created":true"#) == true)

    gate.close()
    gateway.send(Self.line("key.sign", #"{"namespace":"door","message":"AA==","format":"raw"}"#))
    gate.waitUntilReached()
    let revoked = admin.ask("namespace.revoke", #"{"namespace":"door"}"#)
    #expect(revoked?.contains(#""revoked":true"#) == true)
    gate.open()

    let answer = gateway.line()
    #expect(answer?.contains(#""code":"revoked""#) == true, "\(answer ?? "nothing")")
    gateway.endInput()
    admin.endInput()
    let rest = gateway.linesToEnd() + admin.linesToEnd()
    #expect(([answer, revoked].compactMap { $0 } + rest).allSatisfy { !$0.contains("signature") })
  }

  static func line(_ method: String, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n"
  }
}

extension TestClient {
  fileprivate func ask(_ method: String, _ params: String) -> String? {
    send(RevocationLineTests.line(method, params))
    return line()
  }
}

/// Holds finished answers between computing and numbering.
private final class Gate: Sendable {
  private let isClosed = Atomic(false)
  private let reached = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  var hooks: VaultHooks {
    var hooks = VaultHooks()
    hooks.computed = { [self] _ in
      guard isClosed.load(ordering: .acquiring) else { return }
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
private final class VaultOnSockets {
  private let directory: TemporaryDirectory
  private let vault: Vault
  private let server: Server
  private let ended = DispatchSemaphore(value: 0)

  init(_ gate: Gate) throws {
    try? SecureHeap.start(bytes: 1 << 20)
    directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    let secret = try SecretBytes(random: 32)
    var draft = try VaultDraft(created: SystemClock().wallSeconds())
    try draft.addSlot(try UnsealSecret(keyFile: try secret.duplicate()), label: "first")
    let admin = try #require(FirstAdmin("user:\(geteuid())"))
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
