import DiskFaults
import Foundation
import Testing
import VaultStore

@testable import VaultCore

@Suite struct LedgerInitialiseTests {
  private let root: String

  init() throws {
    root = try LedgerTestVault.makeRoot()
  }

  private func draft() throws -> VaultDraft {
    var draft = try VaultDraft(created: 1_700_000_000)
    try draft.addSlot(try LedgerTestVault.secret(LedgerTestVault.first), label: "first")
    return draft
  }

  private func initialise(_ path: String, recorder: DiskRecorder? = nil) throws {
    let admin = try #require(FirstAdmin("group:latchkey"))
    try VaultDirectory.initialise(
      at: path, try draft(), firstAdmin: admin, files: recorder ?? SystemFiles(),
      vfs: recorder?.vfs)
  }

  private func names(_ path: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path))
  }

  @Test func `makes a directory that only its owner can reach, and a log for its group to copy`()
    throws
  {
    defer { try? FileManager.default.removeItem(atPath: root) }
    try initialise(root + "/vault")
    #expect(try names(root) == ["vault"])
    #expect(try names(root + "/vault") == ["vault.db", "vault.lock", "audit"])
    for (name, mode) in [
      ("", 0o700), ("/vault.db", 0o600), ("/vault.lock", 0o600), ("/audit", 0o750),
    ] {
      let attributes = try FileManager.default.attributesOfItem(atPath: root + "/vault" + name)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
    let size = try FileManager.default.attributesOfItem(atPath: root + "/vault/vault.db")[.size]
    #expect(try #require(size as? Int) < 160_000)
  }

  @Test func `takes an empty directory and refuses any other target`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let files = FileManager.default
    try files.createDirectory(atPath: root + "/empty", withIntermediateDirectories: false)
    try initialise(root + "/empty/")
    #expect(throws: LedgerError.notEmpty) { try initialise(root + "/empty") }
    try Data([1]).write(to: URL(fileURLWithPath: root + "/file"))
    #expect(throws: LedgerError.notEmpty) { try initialise(root + "/file") }
    try files.createDirectory(atPath: root + "/void", withIntermediateDirectories: false)
    try files.createSymbolicLink(atPath: root + "/link", withDestinationPath: root + "/void")
    #expect(throws: LedgerError.notEmpty) { try initialise(root + "/link") }
    #expect(throws: LedgerError.store(.file(.makeDirectory, errno: ENOENT))) {
      try initialise(root + "/none/vault")
    }
    #expect(try names(root) == ["empty", "file", "void", "link"])
  }

  @Test func `refuses a draft without a slot`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let admin = try #require(FirstAdmin("user:1000"))
    #expect(throws: LedgerError.lastSlot) {
      try VaultDirectory.initialise(
        at: root + "/vault", try VaultDraft(created: 1), firstAdmin: admin)
    }
    for text in ["", "user:", "root", "user:a:b", "user:-x", "group:a b", "user:\u{e9}"] {
      #expect(FirstAdmin(text) == nil, "\(text)")
    }
  }

  @Test func `removes what a killed initialisation left, and nothing else`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let files = FileManager.default
    for name in [".vault.init-dead", ".vault.init-kept", ".vault.init-busy", ".other.init-dead"] {
      try files.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: false)
      try Data().write(to: URL(fileURLWithPath: root + "/\(name)/vault.lock"))
      try Data([1]).write(to: URL(fileURLWithPath: root + "/\(name)/vault.db"))
    }
    try Data().write(to: URL(fileURLWithPath: root + "/.vault.init-kept/precious"))
    let lock = try DirectoryLock(root + "/.vault.init-busy/vault.lock")
    try initialise(root + "/vault")
    #expect(
      try names(root) == ["vault", ".vault.init-kept", ".vault.init-busy", ".other.init-dead"])
    #expect(try names(root + "/.vault.init-kept") == ["precious"])
    _ = consume lock
  }

  @Test(arguments: [ENOSPC, EIO])
  func `any failing operation leaves nothing behind`(_ code: Int32) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let recorder = DiskRecorder()
    var count = 0
    while true {
      // Removing is still possible when the disk is full.
      recorder.fail(
        .init(after: count, code: code) { event in
          switch event {
          case .delete, .removeDirectory: false
          default: true
          }
        })
      do {
        try initialise(root + "/vault", recorder: recorder)
        break
      } catch let error as LedgerError {
        switch error {
        case .store(.storageFull): #expect(code == ENOSPC)
        case .store(.inputOutput), .store(.file), .store(.cannotOpen):
          #expect(code == EIO, "operation \(count): \(error)")
        default: Issue.record("operation \(count): \(error)")
        }
        // Only when the very last step fails is the vault already in place.
        let left = try names(root)
        if left == ["vault"] { break }
        #expect(left == [], "operation \(count)")
      }
      count += 1
    }
    #expect(count > 40)
  }

  @Test func `power loss at any moment leaves no vault or a whole one`() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let recorder = DiskRecorder()
    try initialise(root + "/vault", recorder: recorder)
    var image = DiskImage(directories: ["/tmp", root])
    var seen = (missing: 0, whole: 0)
    for (index, event) in recorder.events.enumerated() {
      image.apply(event)
      var survivals: [DiskImage.Survival] = [.none, .all]
      survivals += (0..<4).map { .random(seed: UInt64(index * 16 + $0)) }
      for survival in survivals {
        let contents = image.contents(survival)
        guard contents.keys.contains(root + "/vault") else {
          seen.missing += 1
          continue
        }
        seen.whole += 1
        let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
        try image.write(survival, below: root, to: copy.root)
        #expect(try copy.open().report.damage == [], "event \(index), \(survival)")
        #expect(try names(copy.path).isSuperset(of: ["vault.db", "vault.lock", "audit"]))
      }
    }
    #expect(image.contents(.none).keys.contains(root + "/vault/vault.db"))
    #expect(seen.missing > 100 && seen.whole > 4)
  }
}
