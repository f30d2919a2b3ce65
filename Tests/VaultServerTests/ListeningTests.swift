import AccessPolicy
import Foundation
import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

@Suite struct ListeningTests {
  private let directory: TemporaryDirectory
  private var runtime: String { directory.path + "/run" }
  private var socketPath: String { runtime + "/client/vault.sock" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func makeSubdirectories() throws {
    for name in ["client", "admin"] {
      try FileManager.default.createDirectory(
        atPath: "\(runtime)/\(name)", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
  }

  private func mode(_ path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    return (value as? NSNumber)?.intValue ?? -1
  }

  @Test func `makes both sockets with exact modes`() throws {
    let sockets = try ListeningSocket.open(runtime: runtime)
    #expect(sockets.map(\.endpoint) == [.client, .admin])
    #expect(try mode(runtime) == 0o755)
    for name in ["client", "admin"] {
      #expect(try mode("\(runtime)/\(name)") == 0o711)
      #expect(try mode("\(runtime)/\(name)/vault.sock") == 0o666)
    }
  }

  @Test func `removes its sockets at the end`() throws {
    let server = try TestServer()
    #expect(FileManager.default.fileExists(atPath: server.path()))
    #expect(server.stop())
    #expect(!FileManager.default.fileExists(atPath: server.path()))
    #expect(!FileManager.default.fileExists(atPath: server.path(.admin)))
  }

  @Test func `leaves a file alone that somebody has put in its socket's place`() throws {
    let server = try TestServer()
    try FileManager.default.removeItem(atPath: server.path())
    try Data("mine".utf8).write(to: URL(filePath: server.path()))
    #expect(server.stop())
    #expect(try String(contentsOfFile: server.path(), encoding: .utf8) == "mine")
  }

  @Test func `replaces a socket of an earlier run that nobody answers`() throws {
    try makeSubdirectories()
    try leaveStaleSocket()
    let sockets = try ListeningSocket.open(runtime: runtime)
    #expect(sockets.count == 2)
    _ = try TestClient(socketPath)
  }

  private func leaveStaleSocket() throws {
    let script = "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])"
    #expect(try Script(script, [socketPath]).run().status == 0)
    #expect(FileManager.default.fileExists(atPath: socketPath))
  }

  @Test func `refuses to replace a socket that another server answers`() throws {
    try makeSubdirectories()
    let script = """
      import socket,sys
      s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print("up", flush=True)
      sys.stdin.read()
      """
    let other = try Script(script, [socketPath])
    try other.start()
    #expect(other.readLine() == "up")
    #expect(
      throws: ServerError.pathTaken(path: socketPath, reason: "another server answers there")
    ) { try ListeningSocket.open(runtime: runtime) }
    #expect(FileManager.default.fileExists(atPath: socketPath))
    other.finish()
  }

  @Test func `refuses to start where another daemon runs`() throws {
    let server = try TestServer()
    #expect(
      throws: ServerError.pathTaken(
        path: server.path(), reason: "another daemon holds its directory")
    ) { try ListeningSocket.open(runtime: server.directory.path + "/run") }
    let client = try server.client()
    client.send("echo on\n")
    #expect(client.line() == "on")
  }

  @Test func `refuses to replace a regular file`() throws {
    try makeSubdirectories()
    try Data("data".utf8).write(to: URL(filePath: socketPath))
    #expect(throws: ServerError.pathTaken(path: socketPath, reason: "it is not a socket")) {
      try ListeningSocket.open(runtime: runtime)
    }
    #expect(try String(contentsOfFile: socketPath, encoding: .utf8) == "data")
  }

  @Test func `refuses to follow a link at the socket's path`() throws {
    try makeSubdirectories()
    try FileManager.default.createSymbolicLink(
      atPath: socketPath, withDestinationPath: "/nowhere")
    #expect(throws: ServerError.pathTaken(path: socketPath, reason: "it is a symbolic link")) {
      try ListeningSocket.open(runtime: runtime)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a file away"))
  func `refuses to replace a socket of another user`() throws {
    try makeSubdirectories()
    try leaveStaleSocket()
    #expect(unsafe lchown(socketPath, 12345, 12345) == 0)
    #expect(throws: ServerError.pathTaken(path: socketPath, reason: "it belongs to uid 12345")) {
      try ListeningSocket.open(runtime: runtime)
    }
  }

  @Test func `refuses a directory that is a link`() throws {
    try FileManager.default.createDirectory(
      atPath: directory.path + "/real", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: runtime, withDestinationPath: directory.path + "/real")
    #expect(
      throws: ServerError.unsafeDirectory(path: runtime, reason: "it is a link or no directory")
    ) { try ListeningSocket.open(runtime: runtime) }
  }

  @Test(arguments: [0o775, 0o757, 0o777])
  func `refuses a directory that others may write to`(mode: Int) throws {
    try makeSubdirectories()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: runtime)
    #expect(
      throws: ServerError.unsafeDirectory(
        path: runtime, reason: "its group or others may write to it")
    ) { try ListeningSocket.open(runtime: runtime) }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give a directory away"))
  func `refuses a directory of another user`() throws {
    try makeSubdirectories()
    #expect(unsafe chown(runtime + "/admin", 12345, 12345) == 0)
    #expect(
      throws: ServerError.unsafeDirectory(
        path: runtime + "/admin", reason: "it belongs to uid 12345")
    ) { try ListeningSocket.open(runtime: runtime) }
    // The client socket that was made before is gone again.
    #expect(!FileManager.default.fileExists(atPath: socketPath))
  }

  @Test func `says when a path does not fit an address`() throws {
    let long = directory.path + "/" + String(repeating: "d", count: 100)
    #expect(
      throws: ServerError.pathTooLong(path: long + "/client/vault.sock", limit: 107)
    ) { try ListeningSocket.open(runtime: long) }
  }
}
