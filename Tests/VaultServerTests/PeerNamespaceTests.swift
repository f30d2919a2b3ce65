import Foundation
import Glibc
import Testing
import VaultServer

/// Callers that have no number where the daemon is.
@Suite(.enabled(if: Kernel.makesNamespaces, "needs root, and namespaces"))
struct PeerNamespaceTests {
  /// The test daemon in a namespace of its own; ended with its directory.
  private final class Daemon {
    let directory: TemporaryDirectory
    private let script: Script

    /// Starts it, and returns when it listens.
    init(_ namespace: [String]) throws {
      directory = try TemporaryDirectory()
      let configuration = directory.path + "/conf"
      // Everybody is admitted whose number is known, and nobody who has none.
      try Data("allow-uid = 500\nallow-uid = 65534\nallow-gid = 65534\n".utf8)
        .write(to: URL(filePath: configuration))
      #expect(unsafe chmod(configuration, 0o644) == 0)
      script = Script(
        program: "/usr/bin/unshare",
        ["--fork", "--kill-child"] + namespace
          + [Script.daemonPath, directory.path + "/run", configuration])
      try script.start()
      let path = path
      #expect(eventually { (try? TestClient(path)) != nil })
    }

    var path: String { directory.path + "/run/client/vault.sock" }

    deinit {
      script.signal(SIGKILL)
      script.finish()
    }

    /// Asks from another process who that one is; `command` runs it.
    func ask(_ command: [String] = ["/usr/bin/env"], as uid: Int) throws -> String {
      let client = """
        import os,signal,socket,sys
        signal.alarm(20)
        os.setgroups([]); os.setgid(\(uid)); os.setuid(\(uid))
        s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        try: s.sendall(b'who\\n')
        except BrokenPipeError: pass
        print(s.makefile().readline(), end='')
        """
      let words = command + ["/usr/bin/python3", "-c", client, path]
      return try Script(program: words[0], Array(words.dropFirst())).run().output
    }

    /// The daemon itself, which `unshare` has started.
    var child: String {
      let path = "/proc/\(script.processID)/task/\(script.processID)/children"
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return (text ?? "").trimmingCharacters(in: .whitespaces)
    }
  }

  private let forbidden = String(decoding: FramingRefusal.forbidden.line, as: UTF8.self) + "\n"

  @Test func `a process from outside the daemon's process namespace is refused`() throws {
    let daemon = try Daemon(["--pid"])
    #expect(try daemon.ask(as: 0) == forbidden)
    #expect(try daemon.ask(as: 500) == forbidden)
    let inside = ["/usr/bin/nsenter", "--target", daemon.child, "--pid"]
    #expect(try daemon.ask(inside, as: 500) == "500 500 client\n")
    // A namespace below the daemon's has its numbers in the daemon's, too.
    let below = ["/usr/bin/unshare", "--fork", "--pid"]
    #expect(try daemon.ask(inside + below, as: 500) == "500 500 client\n")
  }

  @Test func `a user without a number in the daemon's user namespace is refused`() throws {
    let daemon = try Daemon(["--user", "--map-root-user"])
    #expect(try daemon.ask(as: 0) == "0 0 client\n")
    #expect(try daemon.ask(as: 500) == forbidden)
    #expect(try daemon.ask(as: 65534) == forbidden)
  }
}
