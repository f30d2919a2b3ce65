import AccessPolicy
import Foundation
import Synchronization
import VaultServer
import VaultServerTestSupport

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "lk-\(UUID().uuidString)")
    path = url.path
    // Others may pass through, as the clients of other users do.
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// A server with the scripted service in this process.
final class TestServer: Sendable {
  let directory: TemporaryDirectory
  let service = ScriptedService()
  let server: Server
  private let ended = DispatchSemaphore(value: 0)

  convenience init(_ adjust: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration()
    configuration.ioThreads = 1
    adjust(&configuration)
    try self.init(configuration, Admission(configuration))
  }

  init(_ configuration: Configuration, _ admission: Admission) throws {
    directory = try TemporaryDirectory()
    server = try Server(
      configuration: configuration,
      sockets: try ListeningSocket.open(runtime: directory.path + "/run"),
      service: service, admission: admission,
      log: { _, _ in })
    let (server, ended) = (server, ended)
    Thread.detachNewThread {
      do { try server.run() } catch { print("the server ended: \(error)") }
      ended.signal()
    }
  }

  func path(_ endpoint: Endpoint = .client) -> String {
    "\(directory.path)/run/\(endpoint)/vault.sock"
  }

  func client(_ endpoint: Endpoint = .client) throws -> TestClient {
    try TestClient(path(endpoint))
  }

  /// Asks for the orderly end and waits for it; tells whether it came within ten seconds.
  @discardableResult
  func stop() -> Bool {
    server.stop()
    defer { ended.signal() }
    return ended.wait(timeout: .now() + 10) == .success
  }

  deinit {
    stop()
  }
}

/// Looks at a condition until it holds, for ten seconds at most.
///
/// It keeps its thread: the other tests block theirs, and giving it up could take longer than that.
func eventually(_ condition: () -> Bool) -> Bool {
  let start = Instant.now()
  while Instant.now() < start.advanced(seconds: 10) {
    if condition() { return true }
    usleep(500)
  }
  return false
}
