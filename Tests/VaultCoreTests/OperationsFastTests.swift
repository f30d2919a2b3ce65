import AliroEngine
import DiskFaults
import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Persistent keys: what AUTH1 leaves behind for the reader's next transaction.
@Suite struct OperationsFastTests {
  @Test func `a key is kept after AUTH1, sealed, and serves the fast form after a restart too`()
    throws
  {
    var test = try CommitTestVault()
    let key = try test.door("door")
    let reader = try TestReader(key)
    #expect(try !test.isFast("door", to: TestReader(key, after: reader)))
    try test.present("door", to: reader)
    #expect(try test.records(of: "door").contains("readerContext/persistent-keys"))
    for _ in 0..<2 {
      #expect(try test.isFast("door", to: TestReader(key, after: reader)))
      // The same key for another reader of the group, or none at all, is answered as well.
      #expect(try !test.isFast("door", to: TestReader(key, sub: 2, after: reader)))
      #expect(try !test.isFast("door", to: TestReader(key)))
      test = try test.restarted()
    }
  }

  @Test func `each AUTH1 replaces the reader's key, and no other's`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    let readers = try (1...3).map { try TestReader(key, sub: $0) }
    for reader in readers { try test.present("door", to: reader) }
    let again = try TestReader(key, sub: 2)
    try test.present("door", to: again)
    #expect(try test.isFast("door", to: TestReader(key, sub: 1, after: readers[0])))
    #expect(try !test.isFast("door", to: TestReader(key, sub: 2, after: readers[1])))
    #expect(try test.isFast("door", to: TestReader(key, sub: 2, after: again)))
    #expect(try test.isFast("door", to: TestReader(key, sub: 3, after: readers[2])))
  }

  @Test func `a new pass, a deletion and a revocation drop the keys`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    let reader = try TestReader(key)
    try test.present("door", to: reader)
    #expect(try test.isFast("door", to: TestReader(key, after: reader)))
    try test.storePass(TestPass.pass(for: key), "door")
    #expect(try !test.records(of: "door").contains("readerContext/persistent-keys"))
    #expect(try !test.isFast("door", to: TestReader(key, after: reader)))

    let second = try TestReader(key)
    try test.present("door", to: second)
    try test.deletePass("door")
    #expect(try test.records(of: "door") == [])
    let next = try test.door("door")
    #expect(try !test.isFast("door", to: TestReader(next, after: second)))

    let third = try TestReader(next)
    try test.present("door", to: third)
    try test.revoke("door")
    #expect(try test.records(of: "door") == [])
  }

  @Test func `keeping a key leaves the namespace's other sessions alone`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door")
    let waiting = try TestReader(key, sub: 2)
    let session = try test.greet(waiting, at: "door", connection: 2)
    let generation = try test.describe("door").entry.generation
    try test.present("door", to: TestReader(key))
    #expect(try test.describe("door").entry.generation == generation)
    try waiting.takeAuth1(
      try test.exchange(session, waiting.auth1(), connection: 2).value.messages)
  }

  @Test func `no step is taken before the last one's changes are durable`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door", mailbox: 8)
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door")
    let subject = CommitTestVault.subject
    let first = Answer<CommitTestVault.Numbered<PresentationStep>>()
    let early = Answer<CommitTestVault.Numbered<PresentationStep>>()
    let auth1 = try reader.auth1()
    HeldCall([]).holdCommitter(test.vault) {
      test.worker.exchange(session, auth1, connection: 1, by: subject, first.reply)
      test.worker.exchange(session, auth1, connection: 1, by: subject, early.reply)
    }
    #expect(code { _ = try early.get() } == .busy)
    try reader.takeAuth1(try first.get().value.messages)
    let answer = try test.exchange(session, reader.exchange([0x8C, 1, 0, 0x87, 4, 0, 0, 0, 8]))
    #expect(try reader.open(answer.value.messages).count == 2 + 8 + 4)
  }

  @Test(arguments: [ENOSPC, EIO])
  func `what could not be made durable is not answered, and ends the session`(
    _ errno: Int32
  ) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory)
    let key = try test.door("door")
    let reader = try TestReader(key)
    let session = try test.greet(reader, at: "door")
    let held = try #require(test.vault.presentations.find(session, connection: 1, user: 1000))
    let auth1 = try reader.auth1()
    recorder.fail(.init(after: 0, code: errno))
    let refusal = code { try test.exchange(session, auth1) }
    recorder.fail(nil)
    #expect(refusal == (errno == ENOSPC ? .storageFull : .auditUnavailable))
    #expect(held.isWiped)
    #expect(code { try test.exchange(session, auth1) } == .notFound)
    let again = try TestReader(key)
    #expect(try !test.isFast("door", to: TestReader(key, after: again)))
    try test.present("door", to: again)
    #expect(try test.isFast("door", to: TestReader(key, after: again)))
  }
}
