import Foundation
import Glibc
import SecureMemory
import Testing
import VaultCrypto

@testable import VaultCore

/// A checkpoint that is kept elsewhere shows that the whole directory was put back.
@Suite struct AuditAnchorTests {
  private static func anchor(_ directory: LedgerTestVault) -> AnchorFile {
    AnchorFile(path: directory.root + "/anchor")
  }

  private static func open(
    _ directory: LedgerTestVault? = nil, isSealed: Bool = false
  ) throws -> CommitTestVault {
    let directory = try directory ?? LedgerTestVault()
    return try CommitTestVault(directory, anchor: anchor(directory), isSealed: isSealed)
  }

  /// Puts the whole data directory back to an older copy, and leaves what is beside it.
  private static func putBack(_ directory: LedgerTestVault, _ old: LedgerTestVault) throws {
    try FileManager.default.removeItem(atPath: directory.path)
    try FileManager.default.copyItem(atPath: old.path, toPath: directory.path)
  }

  private func kept(_ directory: LedgerTestVault) throws -> AuditCheckpoint {
    let octets = try #require(try Self.anchor(directory).read())
    #expect(octets.last == 10)
    return try #require(AuditCheckpoint(line: octets.dropLast()))
  }

  @Test func `the anchor has the newest checkpoint, and an untouched vault opens`() throws {
    var test = try Self.open()
    // A new vault has nothing to compare with, and that is as it should be.
    #expect(test.damage == [])
    try test.publicKey("a")
    let made = try test.checkpoint().value
    #expect(try kept(test.directory) == made)
    for _ in 0..<3 {
      test.vault.close()
      let last = try kept(test.directory)
      #expect(last.sequence > made.sequence)
      test = try Self.open(test.directory)
      #expect(test.damage == [])
    }
    var status = stat()
    #expect(unsafe lstat(test.directory.root + "/anchor", &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o640)
  }

  @Test func `a directory that was put back as a whole does not open, whatever is tried`() throws {
    let test = try Self.open()
    try test.publicKey("a")
    test.vault.close()
    let old = try LedgerTestVault(copying: test.directory)
    let again = try Self.open(test.directory)
    try again.revoke("a")
    again.vault.close()
    try Self.putBack(test.directory, old)
    let back = try Self.open(test.directory, isSealed: true)
    for _ in 0..<2 {
      let error = #expect(throws: VaultError.self) { try back.unseal() }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains("the anchor file has line") == true)
      #expect(error?.message.hasSuffix("or remove that file to go on from here") == true)
      #expect(!back.vault.isUnsealed)
    }
    back.vault.close()
    // Who restores on purpose takes the anchor away; that is told.
    try FileManager.default.removeItem(atPath: test.directory.root + "/anchor")
    let restored = try Self.open(test.directory)
    #expect(restored.damage.count == 1)
    #expect(restored.damage.first?.hasPrefix("there is no checkpoint at the anchor") == true)
    try restored.sign("a")
    restored.vault.close()
    #expect(try Self.open(test.directory).damage == [])
  }

  @Test func `a directory that was put back and went on from there does not open either`() throws {
    let test = try Self.open()
    try test.publicKey("a")
    test.vault.close()
    let old = try LedgerTestVault(copying: test.directory)
    let again = try Self.open(test.directory)
    try again.revoke("a")
    again.vault.close()
    // Past the line of the anchor, without an anchor.
    let fork = try CommitTestVault(old)
    for _ in 0..<20 { try fork.sign("a") }
    fork.vault.close()
    try Self.putBack(test.directory, old)
    let back = try Self.open(test.directory, isSealed: true)
    #expect(code { try back.unseal() } == .damaged)
    #expect(!back.vault.isUnsealed)
  }

  @Test func `what is no checkpoint of the vault, or cannot be read, is told`() throws {
    let other = try Self.open()
    try other.publicKey("a")
    other.vault.close()
    let foreign = try Data(contentsOf: URL(filePath: other.directory.root + "/anchor"))
    let test = try Self.open()
    try test.publicKey("a")
    test.vault.close()
    let path = test.directory.root + "/anchor"
    let own = try Data(contentsOf: URL(filePath: path))
    var changed = own
    changed[20] ^= 1
    let words = "what is kept at the anchor is not a checkpoint of this vault"
    for content in [foreign, changed, own.dropLast(), own + own, Data(), Data("x\n".utf8)] {
      try content.write(to: URL(filePath: path))
      let again = try Self.open(test.directory)
      #expect(again.damage == [words])
      again.vault.close()
      // The next checkpoint is kept there again.
      #expect(try kept(test.directory).sequence > 0)
    }
    for make in [{ unsafe mkfifo($0, 0o600) }, { unsafe mkdir($0, 0o700) }] as [(String) -> Int32] {
      try FileManager.default.removeItem(atPath: path)
      #expect(make(path) == 0)
      let again = try Self.open(test.directory)
      #expect(again.damage.count == 1)
      #expect(again.damage.first?.hasPrefix("the anchor cannot be read") == true)
      again.vault.close()
    }
  }

  @Test func `an anchor that cannot be written shows, and stops nothing`() throws {
    let directory = try LedgerTestVault()
    let place = directory.root + "/elsewhere"
    let test = try CommitTestVault(directory, anchor: AnchorFile(path: place + "/anchor"))
    #expect(test.damage.first?.hasPrefix("the anchor cannot be read") == true)
    try test.publicKey("a")
    try test.checkpoint()
    #expect(test.vault.committer.status.anchorTrouble?.word == "removed")
    #expect(!test.vault.reading.isAnchorGood)
    try FileManager.default.createDirectory(
      atPath: place, withIntermediateDirectories: false)
    let made = try test.checkpoint().value
    #expect(test.vault.committer.status.anchorTrouble == nil)
    #expect(test.vault.reading.isAnchorGood)
    let content = try Data(contentsOf: URL(filePath: place + "/anchor"))
    #expect(Array(content) == made.line)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["anchor"])
  }

  @Test func `a checkpoint that was kept by hand is compared at the unsealing`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    let first = try test.checkpoint().value
    for _ in 0..<5 { try test.sign("a") }
    let second = try test.checkpoint().value
    test.vault.close()
    let old = try LedgerTestVault(copying: test.directory)
    let again = try CommitTestVault(test.directory)
    let third = try again.checkpoint().value
    try again.revoke("a")
    again.vault.close()

    let whole = try CommitTestVault(test.directory, isSealed: true)
    for kept in [first, second, third] {
      try whole.unseal(checkpoint: kept)
      #expect(whole.damage == [])
      try whole.seal()
    }
    // One that the vault has signed, of a line that it never wrote so.
    var forged = second
    forged.head[0] ^= 1
    #expect(code { try whole.unseal(checkpoint: forged) } == .invalidParameters)
    let keys = try VaultKeys(MasterKey(SecretBytes(random: 32)))
    let foreign = try AuditCheckpoint(
      second.position, since: second.since, digest: second.digest, vaultID: second.vaultID,
      at: second.time,
      by: keys.checkpoint)
    #expect(code { try whole.unseal(checkpoint: foreign) } == .invalidParameters)
    #expect(!whole.vault.isUnsealed)
    whole.vault.close()

    let back = try CommitTestVault(old, isSealed: true)
    let older = #expect(throws: VaultError.self) { try back.unseal(checkpoint: third) }
    #expect(older?.code == .damaged)
    #expect(older?.message.contains("given has line \(third.sequence)") == true)
    #expect(!back.vault.isUnsealed)
    try back.unseal(checkpoint: second)
    for _ in 0..<8 { try back.sign("a") }
    try back.seal()
    #expect(code { try back.unseal(checkpoint: third) } == .damaged)
    #expect(!back.vault.isUnsealed)
  }
}
