import Foundation
import Glibc
import Testing

/// `vaultctl init` as a process: whole or nothing, whenever it ends.
@Suite struct InitialiseTests {
  private static func initialise(in directory: TemporaryDirectory, _ round: Int) -> Program {
    Program(
      BuiltProducts.vaultctl,
      [
        "init", "--data", "\(directory.path)/data", "--key-file", "\(directory.path)/key-\(round)",
        "--no-recovery", "--admin", "root",
      ])
  }

  @Test func `an initialisation killed at any moment leaves a whole vault or nothing in the way`()
    throws
  {
    let clock = ContinuousClock()
    let duration = try clock.measure {
      let directory = try TemporaryDirectory()
      #expect(try Self.initialise(in: directory, 0).run().isGood)
    }
    let span = useconds_t(duration / .microseconds(1))
    var (whole, nothing) = (0, 0)
    for _ in 0..<30 {
      let directory = try TemporaryDirectory()
      let victim = Self.initialise(in: directory, 1)
      try victim.start()
      // Not a wait for something, but the moment of the blow.
      usleep(useconds_t.random(in: 0...span + span / 4))
      victim.signal(SIGKILL)
      victim.finish()
      if FileManager.default.fileExists(atPath: "\(directory.path)/data") {
        whole += 1
        try expectServing(directory, key: "\(directory.path)/key-1")
      } else {
        nothing += 1
        let next = try Self.initialise(in: directory, 2).run()
        #expect(next.isGood, "\(next.errors)")
        try expectServing(directory, key: "\(directory.path)/key-2")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(!left.contains { $0.hasPrefix(".data.init-") } || whole > 0, "\(left)")
    }
    // Both must have been met, or the blows came at the wrong moments.
    #expect(nothing > 0, "\(whole) whole, \(nothing) nothing")
  }

  /// A vault is whole when the daemon unseals it with its key and makes a key in it.
  private func expectServing(_ directory: TemporaryDirectory, key: String) throws {
    let root = geteuid() == 0 ? ["--allow-root"] : []
    let runtime = "\(directory.path)/run"
    let daemon = Program(
      BuiltProducts.vaultd,
      ["--data", "\(directory.path)/data", "--runtime", runtime, "--key-file", key] + root)
    try daemon.start()
    let path = "\(runtime)/client/vault.sock"
    let isServing = eventually { (try? VaultSocket(path)) != nil || !daemon.isRunning }
    #expect(isServing && daemon.isRunning, "\(daemon.errors)")
    let answer = try VaultSocket(path).call("key.public", ["namespace": "a"])
    #expect(answer.flag("created") == true, "\(answer.line)")
    daemon.signal(SIGTERM)
    #expect(daemon.finish().isGood)
  }

  @Test func `an initialisation never touches what exists`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let before = try Data(contentsOf: URL(filePath: "\(vault.data)/vault.db"))
    let again = try Program(
      BuiltProducts.vaultctl,
      [
        "init", "--data", vault.data, "--key-file", vault.directory.path + "/other",
        "--no-recovery", "--admin", "root",
      ]
    ).run()
    #expect(again.status == 73, "\(again.errors)")
    #expect(try Data(contentsOf: URL(filePath: "\(vault.data)/vault.db")) == before)
    #expect(!FileManager.default.fileExists(atPath: vault.directory.path + "/other"))

    let sameKey = try Program(
      BuiltProducts.vaultctl,
      [
        "init", "--data", vault.directory.path + "/data2", "--key-file", vault.keyFile,
        "--no-recovery", "--admin", "root",
      ]
    ).run()
    #expect(sameKey.status == 73, "\(sameKey.errors)")
    #expect(!FileManager.default.fileExists(atPath: vault.directory.path + "/data2"))
  }

  @Test func `what it makes is for its owner alone`() throws {
    let vault = try TestVault(initialising: [
      "--key-file", "key", "--recovery-file", "recovery",
    ])
    for path in [vault.data, vault.keyFile, vault.recoveryFile, "\(vault.data)/vault.db"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let mode = attributes[.posixPermissions] as? Int ?? 0o777
      #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
    }
  }

  @Test func `a key is not put into the vault it opens`() throws {
    let directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    let outcome = try Program(
      BuiltProducts.vaultctl,
      ["init", "--data", data, "--key-file", data + "/key", "--no-recovery", "--admin", "root"]
    ).run()
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
  }

  @Test(arguments: [
    ["init", "--data", "d", "--key-file", "k", "--no-recovery"],
    ["init", "--data", "d", "--key-file", "k", "--admin", "root"],
    ["init", "--data", "d", "--no-recovery", "--admin", "root"],
    ["init", "--data", "d", "--key-file", "k", "--no-recovery", "--admin", "no-such-user"],
    ["init", "--data", "d", "--passphrase", "hunter2", "--no-recovery", "--admin", "root"],
  ])
  func `a wrong command line makes nothing`(arguments: [String]) throws {
    let directory = try TemporaryDirectory()
    let placed = arguments.map { ["d", "k"].contains($0) ? "\(directory.path)/\($0)" : $0 }
    let outcome = try Program(BuiltProducts.vaultctl, placed).run()
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}
