import Foundation
import Glibc
import Testing

/// The daemon as a process: who may run it, who may call it, what others can see of it.
@Suite struct ProcessTests {
  private static let isRoot = geteuid() == 0

  /// A vault whose owner is another user than root, served by that user.
  private func foreignVault(_ uid: uid_t) throws -> TestVault {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try FileManager.default.createDirectory(
      atPath: vault.runtime, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    let outcome = try Program(
      "/bin/chown", ["-R", "\(uid):\(uid)", vault.directory.path]
    ).run()
    try #require(outcome.isGood)
    return vault
  }

  private func arguments(_ vault: TestVault) -> [String] {
    ["--data", vault.data, "--runtime", vault.runtime, "--key-file", vault.keyFile]
  }

  @Test(.enabled(if: isRoot, "needs root to see it refused"))
  func `refuses to run as root unless that is said to be meant`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let refused = try Program(BuiltProducts.vaultd, arguments(vault)).run()
    #expect(refused.status == 77, "\(refused.errors)")
    #expect(refused.errors.contains("--allow-root"))
    try vault.start()
    #expect(try vault.connect().call("status").text("state") == "unsealed")
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func `serves as a user of its own: that user and root are admitted, others are not`() throws {
    let vault = try foreignVault(12_345)
    try vault.start(Program(BuiltProducts.vaultd, arguments(vault), as: 12_345))
    // Root, here.
    let key = try vault.connect().call("key.public", ["namespace": "a"])
    #expect(key.flag("created") == true, "\(key.line)")
    let status = ["status", "--runtime", vault.runtime]
    let owner = try Program(BuiltProducts.vaultctl, status, as: 12_345).run()
    #expect(owner.isGood, "\(owner.errors)")
    let stranger = try Program(BuiltProducts.vaultctl, status, as: 54_321).run()
    #expect(stranger.status == 77, "\(stranger.status) \(stranger.output) \(stranger.errors)")
    #expect(try vault.stop().isGood)
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func `a user who is not named is refused on both sockets, in words of the protocol`() throws {
    let vault = try TestVault()
    let script = """
      import os, socket, sys
      os.setgroups([]); os.setgid(54321); os.setuid(54321)
      for path in sys.argv[1:]:
        s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(path)
        try: s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"health"}\\n')
        except BrokenPipeError: pass
        print(s.makefile().readline(), end='')
      """
    let outcome = try Program(
      "/usr/bin/env", ["python3", "-c", script, vault.path(.client), vault.path(.admin)]
    ).run()
    let answers = outcome.output.split(separator: "\n").map { Answer(String($0)) }
    #expect(answers.map(\.code) == ["forbidden", "forbidden"], "\(outcome.errors)")
    #expect(answers.map(\.number) == [-32002, -32002])
  }

  @Test func `names a database that is not one, and ends`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let files = FileManager.default
    let database = vault.data + "/vault.db"
    func start() throws -> Outcome {
      try Program(BuiltProducts.vaultd, vault.daemonArguments(unsealed: true)).run()
    }
    try vault.start()
    #expect(try vault.stop().isGood)

    try files.moveItem(atPath: database, toPath: vault.data + "/aside")
    let missing = try start()
    #expect(missing.status == 65, "\(missing.errors)")
    #expect(missing.errors.contains("vault.db is missing"), "\(missing.errors)")
    #expect(!files.fileExists(atPath: database))
    #expect(unsafe mkfifo(database, 0o600) == 0)
    let pipe = try start()
    #expect(pipe.status == 65, "\(pipe.errors)")
    #expect(pipe.errors.contains("vault.db is a link, a pipe"), "\(pipe.errors)")
    try files.removeItem(atPath: database)
    try files.moveItem(atPath: vault.data + "/aside", toPath: database)
    try vault.start()
  }

  @Test func `a row that was planted where a namespace is to be made is damage`() throws {
    let vault = try TestVault()
    #expect(try vault.connect().call("key.public", ["namespace": "own"]).flag("created") == true)
    #expect(try vault.stop().isGood)
    try vault.tamper(
      """
      CREATE TEMP TABLE copy AS SELECT * FROM namespace;
      UPDATE copy SET name='planted', id=randomblob(16), bucket=(bucket+number) % 65536
        FROM (SELECT 1 AS number);
      INSERT INTO namespace SELECT * FROM copy;
      """)
    try vault.start()
    let socket = try vault.connect()
    for method in ["key.public", "namespace.create"] {
      let answer = try socket.call(method, ["namespace": "planted"])
      #expect(answer.code == "damaged", "\(answer.line)")
    }
    #expect(try socket.call("key.public", ["namespace": "own"]).flag("created") == false)
    #expect(try socket.call("key.public", ["namespace": "new"]).flag("created") == true)
  }

  @Test func `leaves no core, cannot be looked into, and makes files for itself alone`() throws {
    let vault = try TestVault()
    let process = try #require(vault.daemon).processID
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    let fields = core?.split(separator: " ").filter { $0 == "0" } ?? []
    #expect(fields.count == 2, "\(core ?? "")")
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("Umask:\t0077"))
    for path in ["vault.db", "vault.lock", "audit"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(vault.data)/\(path)")
      let mode = attributes[.posixPermissions] as? Int ?? 0o777
      // The log may be read by its group, which has no way into the directory unless somebody opens one.
      let others = path == "audit" ? 0o027 : 0o077
      #expect(mode & others == 0, "\(path) has mode \(String(mode, radix: 8))")
    }
  }

  @Test(arguments: [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP])
  func `a crash ends it at once, and prints nothing of its memory`(signal: Int32) throws {
    let vault = try TestVault()
    let daemon = try #require(vault.daemon)
    let (status, started) = (
      try String(contentsOfFile: "/proc/\(daemon.processID)/status", encoding: .utf8), Date.now
    )
    let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let mask = try #require(
      caught.flatMap { UInt64($0.split(separator: "\t")[1], radix: 16) })
    #expect(mask >> UInt64(signal - 1) & 1 == 0, "signal \(signal) is caught: \(caught ?? "")")
    daemon.signal(signal)
    let outcome = daemon.finish()
    #expect(outcome.wasKilled)
    #expect(outcome.status == signal)
    let said = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("audit checkpoint {") }
    #expect(said.isEmpty, "\(outcome.errors)")
    #expect(Date.now.timeIntervalSince(started) < 10)
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func `is not dumpable: the kernel gives its files in proc to root`() throws {
    let vault = try foreignVault(12_345)
    try vault.start(Program(BuiltProducts.vaultd, arguments(vault), as: 12_345))
    let process = try #require(vault.daemon).processID
    // setpriv has become the daemon, so the number is the daemon's.
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("Uid:\t12345\t12345\t12345\t12345"))
    for file in ["maps", "mem", "environ", "fd"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/\(file)")
      #expect(attributes[.ownerAccountID] as? Int == 0, "\(file) is not root's")
    }
    let look = try Program("/bin/cat", ["/proc/\(process)/maps"], as: 12_345).run()
    #expect(!look.isGood)
    #expect(look.output.isEmpty)
  }

  @Test func `passes no descriptor on and holds none without close-on-exec`() throws {
    let vault = try TestVault()
    let process = try #require(vault.daemon).processID
    _ = try vault.connect().call("key.public", ["namespace": "a"])
    let connected = try vault.connect()
    _ = try connected.call("health")
    let directory = "/proc/\(process)/fdinfo"
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      guard let number = Int(name), number > 2 else { continue }
      guard let info = try? String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8) else {
        continue
      }
      let line = info.split(separator: "\n").first { $0.hasPrefix("flags:") } ?? ""
      let flags = Int(line.split(separator: "\t").last ?? "", radix: 8) ?? 0
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/fd/\(name)")
      #expect(flags & 0o2_000_000 != 0, "descriptor \(number), \(target ?? "?")")
    }
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func `too small a limit of locked memory is told in bytes`() throws {
    let vault = try foreignVault(12_345)
    let outcome = try Program(
      "/usr/bin/prlimit",
      [
        "--memlock=65536:65536", "/usr/bin/setpriv", "--reuid=12345", "--regid=12345",
        "--clear-groups", "--", BuiltProducts.vaultd,
      ] + arguments(vault)
    ).run()
    #expect(outcome.status == 75, "\(outcome.errors)")
    #expect(outcome.errors.contains("the limit is 65536"), "\(outcome.errors)")
    let words = outcome.errors.split(separator: " ")
    let needed = words.firstIndex(of: "bytes").flatMap { Int(words[$0 - 1]) }
    let bytes = try #require(needed, "\(outcome.errors)")
    // With what it asks for, rounded up as it says, it serves.
    let enough = (bytes + 1023) / 1024 * 1024
    try vault.start(
      Program(
        "/usr/bin/prlimit",
        [
          "--memlock=\(enough):\(enough)", "/usr/bin/setpriv", "--reuid=12345",
          "--regid=12345", "--clear-groups", "--", BuiltProducts.vaultd,
        ] + arguments(vault)))
    #expect(try vault.connect().call("key.public", ["namespace": "a"]).flag("created") == true)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends it in order: what was asked is answered and kept`(signal: Int32) throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    for number in 0..<100 { try socket.post("key.public", ["namespace": "drain/\(number)"]) }
    // All of it has arrived once the last has been answered or is under way.
    var points: [String: String] = [:]
    let first = try socket.answer()
    points[first.text("namespace") ?? ""] = first.text("point")
    let daemon = try #require(vault.daemon)
    daemon.signal(signal)
    for answer in socket.answersToEnd() {
      points[answer.text("namespace") ?? answer.line] = answer.text("point")
    }
    let outcome = try vault.stop()
    #expect(outcome.isGood, "\(outcome.status) \(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: vault.path(.client)))
    try vault.start()
    let again = try vault.connect()
    for (name, point) in points {
      let answer = try again.call("key.public", ["namespace": name])
      #expect(answer.text("point") == point, "\(answer.line)")
      #expect(answer.flag("created") == false)
    }
  }

  @Test func `a second daemon on the same directory is refused, and the first serves on`() throws {
    let vault = try TestVault()
    let other = try TemporaryDirectory()
    var arguments = vault.daemonArguments(unsealed: true)
    arguments[3] = other.path + "/run"
    let second = try Program(BuiltProducts.vaultd, arguments).run()
    #expect(second.status == 75, "\(second.errors)")
    #expect(second.errors.contains(vault.data))
    #expect(try vault.connect().call("health").flag("ok") == true)
  }

  @Test(arguments: [0o777, 0o750, 0o701])
  func `a data directory that others can reach is refused`(mode: Int) throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    unsafe chmod(vault.data, mode_t(mode))
    let refused = try Program(BuiltProducts.vaultd, vault.daemonArguments(unsealed: true)).run()
    #expect(refused.status == 77, "\(refused.errors)")
    #expect(refused.errors.contains(vault.data))
  }

  @Test func `a stale socket is replaced, a live one and a strange file are not`() throws {
    let vault = try TestVault()
    vault.kill()
    // What a killed daemon leaves.
    #expect(FileManager.default.fileExists(atPath: vault.path(.client)))
    try vault.start()
    #expect(try vault.connect().call("health").flag("ok") == true)

    let other = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    var arguments = other.daemonArguments(unsealed: true)
    arguments[3] = vault.runtime
    let refused = try Program(BuiltProducts.vaultd, arguments).run()
    #expect(refused.status == 69, "\(refused.errors)")
    #expect(try vault.connect().call("health").flag("ok") == true)

    #expect(try vault.stop().isGood)
    try Data("mine".utf8).write(to: URL(filePath: vault.path(.client)))
    let taken = try Program(BuiltProducts.vaultd, vault.daemonArguments(unsealed: true)).run()
    #expect(taken.status == 69, "\(taken.errors)")
    #expect(taken.errors.contains(vault.path(.client)))
    #expect(
      try String(contentsOfFile: vault.path(.client), encoding: .utf8) == "mine")
  }

  @Test func `what is no vault is not served`() throws {
    let directory = try TemporaryDirectory()
    let root = Self.isRoot ? ["--allow-root"] : []
    let arguments = ["--data", directory.path, "--runtime", directory.path + "/run"]
    let empty = try Program(BuiltProducts.vaultd, arguments + root).run()
    #expect(empty.status == 66, "\(empty.errors)")
    #expect(empty.errors.contains("vaultctl init"))
  }
}
