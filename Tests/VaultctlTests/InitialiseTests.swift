import Foundation
import SecureMemory
import Testing
import VaultCore
import VaultStore
import WireCoding

@testable import vaultctl

/// What `init` leaves on the disk, when it ends and when it is ended.
@Suite struct InitialiseTests {
  private func words(_ directory: TemporaryDirectory) -> [String] {
    [
      "init", "--data", directory.file("vault"), "--key-file", directory.file("vault.key"),
      "--recovery-file", directory.file("recovery.key"), "--admin", "root", "--json",
    ]
  }

  /// Unseals the vault with both keys, as the daemon would.
  private func open(_ directory: TemporaryDirectory) throws {
    for key in ["vault.key", "recovery.key"] {
      let (ledger, writer) = try Ledger.open(
        VaultDatabase(path: directory.file("vault/vault.db")))
      let secret = try UnsealSecret(keyFile: try KeyFile.read(directory.file(key)))
      let report = try ledger.unseal(try ledger.openSlot(secret))
      #expect(report.damage.isEmpty)
      #expect(report.slot == (key == "vault.key" ? 1 : 2))
      _ = writer
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  @Test func `a vault is made that each of its keys opens`() throws {
    let directory = try TemporaryDirectory()
    let outcome = try Vaultctl.run(words(directory))
    #expect(outcome.exit == 0)
    #expect(outcome.stderr == "")
    let answer = try #require(JSON.object(outcome.text))
    #expect(answer["admin"] as? String == "user:0")
    #expect((answer["vault_id"] as? String)?.count == 32)
    #expect(try directory.contents() == ["recovery.key", "vault", "vault.key"])
    #expect(try mode(directory.file("vault")) == 0o700)
    for key in ["vault.key", "recovery.key"] { #expect(try mode(directory.file(key)) == 0o600) }
    try open(directory)
  }

  @Test func `the secret is nowhere in what is printed`() throws {
    let directory = try TemporaryDirectory()
    let outcome = try Vaultctl.run(Array(words(directory).dropLast()))
    for key in ["vault.key", "recovery.key"] {
      let line = try String(contentsOfFile: directory.file(key), encoding: .utf8)
      let digits = try #require(line.split(separator: " ").last).dropLast()
      #expect(digits.count == 64)
      #expect(!outcome.text.contains(digits) && !outcome.stderr.contains(digits))
    }
  }

  @Test func `a failure takes its key files away again`() throws {
    let directory = try TemporaryDirectory()
    // The second key file cannot be made once the first one is there.
    var words = words(directory)
    words[6] = "/proc/recovery.key"
    let outcome = try Vaultctl.run(words)
    #expect(outcome.exit == 73)
    #expect(try directory.contents() == [])
  }

  @Test func `a key file in the way is neither used nor touched`() throws {
    let directory = try TemporaryDirectory()
    try "mine".write(toFile: directory.file("recovery.key"), atomically: false, encoding: .utf8)
    #expect(try Vaultctl.run(words(directory)).exit == 73)
    #expect(try directory.contents() == ["recovery.key"])
    #expect(try String(contentsOfFile: directory.file("recovery.key"), encoding: .utf8) == "mine")
  }

  @Test
  func `killed at any moment, it leaves a whole vault or none, and never one without its keys`()
    throws
  {
    var whole = 0
    var none = 0
    let usual = try duration()
    var round = 0.0
    // The machine may have become slower than it was when the duration was taken.
    while round < 60 || (whole == 0 && round < 60_000) {
      let directory = try TemporaryDirectory()
      try kill(words(directory), after: usual * round / 50)
      if FileManager.default.fileExists(atPath: directory.file("vault")) {
        whole += 1
        try open(directory)
      } else {
        none += 1
        try goOn(directory)
      }
      round = round < 60 ? round + 1 : round * 2
    }
    // Both outcomes were seen, else the moments were badly chosen.
    #expect(whole > 0 && none > 0, "\(whole) whole, \(none) none")
  }

  /// After a kill the same place takes a vault, with other key files if those are there already.
  private func goOn(_ directory: TemporaryDirectory) throws {
    for key in ["vault.key", "recovery.key"] {
      // A leftover key is whole, and opens nothing.
      let isThere = FileManager.default.fileExists(atPath: directory.file(key))
      if isThere { _ = try KeyFile.read(directory.file(key)) }
      try? FileManager.default.removeItem(atPath: directory.file(key))
    }
    #expect(try Vaultctl.run(words(directory)).exit == 0)
    try open(directory)
    let left = try directory.contents().filter { !$0.hasSuffix(".tmp") }
    #expect(left == ["recovery.key", "vault", "vault.key"])
  }

  private func duration() throws -> Double {
    let directory = try TemporaryDirectory()
    let start = Date()
    try kill(words(directory), after: nil)
    return Date().timeIntervalSince(start)
  }

  private func kill(_ words: [String], after delay: Double?) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Vaultctl.path)
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    if let delay {
      usleep(UInt32(delay * 1_000_000))
      Glibc.kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
  }
}
