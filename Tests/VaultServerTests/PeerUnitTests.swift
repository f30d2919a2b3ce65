import AccessPolicy
import Foundation
import Glibc
import Testing

@testable import VaultServer

/// The unit of a caller, asked of the kernel.
@Suite(.enabled(if: Kernel.isAtLeast(6, 5), "needs Linux 6.5"))
struct PeerUnitTests {
  /// Part of every name that is made in the tree of the machine.
  private static let own = "lktest\(getpid())"

  /// Control groups, and the unit of a process there.
  private static let groups: [(groups: String, unit: String)] = [
    ("2=/\(own).slice/\(own)-a.service", "\(own)-a.service"),
    ("2=/\(own).slice/\(own)-a.service/inner", "\(own)-a.service"),
    ("2=/\(own).slice/\(own)-b.slice/\(own)-c@1.scope", "\(own)-c@1.scope"),
    ("2=/\(own).slice/user@\(own).service/app.slice/gateway.service", "user@\(own).service"),
    ("2=/\(own).slice/user@\(own).service/gateway.service", "user@\(own).service"),
    ("2=/\(own).slice/_\(own)-d.service", "\(own)-d.service"),
    ("2=/\(own).service", "\(own).service"),
    ("2=/\(own).slice", "-"),
    ("2=/\(own)/gateway.service", "-"),
    ("2=/\(own).slice/\(own)@.service", "-"),
    ("2=/\(own).slice/a \(own).service", "-"),
    ("1=/\(own).slice/\(own)-a.service", "\(own)-a.service"),
    ("1=/\(own)/\(own)-a.service", "-"),
    ("2=/\(own).slice/\(own)-a.service,1=/\(own).slice/\(own)-a.service", "\(own)-a.service"),
    ("2=/\(own).slice/\(own)-a.service,1=/\(own).slice/\(own)-b.service", "-"),
  ]

  /// As in production: the daemon is no root, and may not be looked into, itself included.
  @Test(.enabled(if: Kernel.makesControlGroups, "needs to make control groups"))
  func `a daemon without privileges tells the units of processes, as systemd's library does`()
    throws
  {
    let directory = try TemporaryDirectory()
    #expect(unsafe chown(directory.path, 12_345, 12_345) == 0)
    let daemon = Script(
      program: "/usr/bin/setpriv",
      ["--reuid=12345", "--regid=12345", "--clear-groups", "--", Script.daemonPath, directory.path])
    try daemon.start()
    let path = directory.path + "/client/vault.sock"
    #expect(eventually { (try? TestClient(path)) != nil })
    let result = try Script(
      interop: "peer_units.py", [path] + Self.groups.map(\.groups)
    ).run()
    let seen = result.output.split(separator: "\n")
    #expect(seen.count == Self.groups.count, "\(result.errors)")
    for (line, expected) in zip(seen, Self.groups) where line != "no hierarchy" {
      let words = line.split(separator: " ")
      #expect(words.first == expected.unit[...], "\(expected.groups): \(line)")
      #expect(words.last == words.first || words.last == "?", "\(expected.groups): \(line)")
    }
    #expect(seen.contains { $0 != "no hierarchy" })
    daemon.signal(SIGTERM)
    #expect(daemon.finish().status == 0)
  }

  /// A socket that nobody serves, connected by a process of its own.
  private struct Meeting {
    let directory: TemporaryDirectory
    let accepted: OwnedDescriptor

    init(_ client: String, before: (Script) -> Void = { _ in }) throws {
      directory = try TemporaryDirectory()
      let sockets = try ListeningSocket.open(runtime: directory.path)
      let path = directory.path + "/client/vault.sock"
      let script = try Script(
        "import socket,sys\ns=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
          + "print('in', flush=True)\n" + client, [path])
      try script.start()
      #expect(script.readLine() == "in")
      before(script)
      accepted = OwnedDescriptor(accept(sockets[0].descriptor.number, nil, nil))
      for socket in sockets { socket.retire() }
      if client.isEmpty { script.finish() }
    }
  }

  @Test func `a process that ended before it was asked about has no unit`() throws {
    let meeting = try Meeting("") { $0.finish() }
    let peer = try PeerIdentity.peer(of: meeting.accepted.number)
    #expect(peer.caller.uid == geteuid())
    #expect(peer.caller.unit == nil)
    #expect(!peer.process.isAlive)
  }

  @Test func `a number that does not fit the process gets no unit`() throws {
    let meeting = try Meeting("sys.stdin.read()")
    let process = try PeerProcess(of: meeting.accepted.number)
    #expect(process.isAlive)
    #expect(try process.unit(pid: getpid()) == nil)
    #expect(try process.unit(pid: 0) == nil)
  }
}
