import AccessPolicy
import Foundation
import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

/// What a process can do with a connection besides talking on it, tried with real ones of several
/// users.
///
/// None gains anything: an octet that anybody but the process that connected has written never
/// becomes part of a line that is handled, and every line that is handled is handled as the caller
/// that connected, whatever that process has turned into. All users here may connect by themselves,
/// so that only the way they do it can be what is refused.
@Suite(.enabled(if: geteuid() == 0, "needs root to become other users"))
struct PeerTests {
  /// A kernel that tells the process that connected from a later one with its number.
  private static let tellsProcesses = Kernel.isAtLeast(6, 5)

  private func server(_ adjust: (inout Configuration) -> Void = { _ in }) throws -> TestServer {
    var configuration = Configuration()
    configuration.ioThreads = 1
    configuration.allowedUsers = [500, 501]
    adjust(&configuration)
    return try TestServer(configuration, Admission(configuration))
  }

  /// Runs a scenario of `peers.py`; returns what it has seen.
  private func run(
    _ scenario: String, _ server: TestServer, _ arguments: String...
  ) throws -> [String] {
    let result = try Script(
      interop: "peers.py", [scenario, server.path()] + arguments
    ).run()
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `a program that takes the place of another in a process is the same caller`() throws {
    let server = try server()
    #expect(try run("exec-plain", server) == ["noted", "noted"])
    #expect(server.service.notes == ["500 before", "500 after"])
  }

  @Test(.enabled(if: Kernel.honoursSetuid, "needs a file system with setuid programs"))
  func `a setuid program writes for the user who runs it`() throws {
    let server = try server()
    #expect(try run("exec-setuid", server, server.directory.path) == ["noted", "noted"])
    #expect(server.service.notes == ["500 before", "500 after"])
  }

  @Test(.enabled(if: Kernel.honoursSetuid, "needs a file system with setuid programs"))
  func `a setuid program that becomes another user altogether is cut off`() throws {
    let server = try server()
    #expect(try run("exec-setuid-whole", server, server.directory.path) == ["noted", "closed"])
    #expect(server.service.notes == ["500 before"])
  }

  @Test(arguments: [
    ("setuid-connects", ["closed"], []),
    ("drops", ["noted", "closed"], ["0 before"]),
    ("drops-first", ["closed"], []),
    ("rises", ["noted", "closed"], ["500 before"]),
    ("changes", ["noted", "closed"], ["500 before"]),
  ])
  func `a process that is not the user any more that connected is cut off`(
    scenario: String, seen: [String], notes: [String]
  ) throws {
    let server = try server()
    #expect(try run(scenario, server) == seen)
    #expect(server.service.notes == notes)
  }

  @Test(
    arguments: ["forks", "passes"], [("500", "500"), ("500", "501"), ("500", "0"), ("0", "500")])
  func `another process that writes is cut off, whatever its user`(
    scenario: String, users: (connector: String, writer: String)
  ) throws {
    let server = try server()
    #expect(try run(scenario, server, users.connector, users.writer) == ["noted", "closed"])
    #expect(server.service.notes == ["\(users.connector) before"])
    #expect(eventually { server.server.connectionCount == 0 })
  }

  @Test func `no line is made of octets of two processes`() throws {
    let server = try server()
    #expect(try run("forks-middle", server) == ["noted", "closed"])
    #expect(server.service.notes == ["0 whole"])
  }

  @Test func `urgent data of another process is no part of any line`() throws {
    let server = try server()
    let seen = try run("urgent", server)
    #expect(seen == ["noted", "noted"] || seen == ["noted", "closed"])
    #expect(server.service.notes.allSatisfy { ["0 before", "0 after"].contains($0) })
  }

  @Test func `every thread of a process is the caller`() throws {
    let server = try server()
    #expect(try run("threads", server) == ["noted"])
    #expect(server.service.notes == ["0 thread"])
  }

  @Test(.enabled(if: tellsProcesses, "needs Linux 6.5"))
  func `what was sent before the end of a process is served, its half line is not`() throws {
    let server = try server()
    #expect(try run("ends", server) == ["noted noted noted True closed"])
    #expect(server.service.notes == ["500 1", "500 2", "500 3"])
  }

  @Test(.enabled(if: tellsProcesses, "needs Linux 6.5"))
  func `what a process has left behind is held to the limits, and refused once`() throws {
    let server = try server { $0.limits.requestLimit = 2048 }
    let seen = try run("ends-too-long", server)
    #expect(seen == ["True 1 closed"])
    #expect(server.service.notes == ["500 1"])
  }

  @Test(.enabled(if: tellsProcesses, "needs Linux 6.5"), arguments: ["ends-recycled", "ends-owed"])
  func `the number of a process that has ended opens nothing to its next owner`(
    scenario: String
  ) throws {
    let server = try server()
    let seen = try run(scenario, server)
    let expected =
      scenario == "ends-recycled"
      ? ["noted closed", "closed", "the number again"]
      : ["1 2", "the number again", "released 1 owed closed"]
    #expect(seen == expected)
    #expect(server.service.notes == (scenario == "ends-recycled" ? ["500 before"] : []))
  }

  @Test(.enabled(if: tellsProcesses, "needs Linux 6.5"))
  func `that holds for what waits in the socket of a client with too much in flight`() throws {
    let server = try server { $0.limits.inFlightLimit = 4 }
    #expect(try run("ends-throttled", server, "40") == ["1 2", "the number again", "40 1 42"])
    #expect(server.service.notes == ["500 own"])
  }

  @Test func `nobody passes for somebody else by claiming to be`() throws {
    let server = try server()
    let seen = try run("claims", server)
    #expect(seen == [String](repeating: "refused", count: 6) + ["sent noted"])
    #expect(server.service.notes == ["500 own"])
  }

  @Test func `the root of a user namespace of one's own is nobody but its user`() throws {
    let server = try server()
    let seen = try run("claims-in-namespace", server)
    guard seen != ["no namespaces"] else { return }
    #expect(seen == ["0 refused", "refused", "sent", "closed"])
    #expect(server.service.notes == [])
  }

  @Test func `what root claims has to fit the connection`() throws {
    let server = try server()
    #expect(try run("root-claims", server) == ["sent closed", "sent closed", "sent closed"])
    #expect(server.service.notes == [])
  }

  @Test func `descriptors by the thousand leave none behind`() throws {
    let directory = try TemporaryDirectory()
    let daemon = Script(program: Script.daemonPath, [directory.path])
    try daemon.start()
    // It waits for the daemon itself, so that no other connection comes and goes meanwhile.
    let path = directory.path + "/client/vault.sock"
    let result = try Script(
      interop: "peers.py", ["flood", path, "\(daemon.processID)"]
    ).run()
    let perConnection = Self.tellsProcesses ? 2 : 1
    #expect(result.output == "\(4 * perConnection) 0\nb''\n", "\(result.errors)")
    daemon.signal(SIGTERM)
    #expect(daemon.finish().status == 0)
  }
}
