import AliroEngine
import Foundation
import Testing
import WireCoding

@testable import VaultCore

@Suite struct OperationsMailboxTests {
  private let read: [UInt8] = [0x8C, 1, 0, 0x87, 4, 0, 0, 0, 8]

  private func write(_ offset: UInt8, _ octets: [UInt8]) -> [UInt8] {
    [0x8C, 1, 0, 0x8A, UInt8(2 + octets.count), 0, offset] + octets
  }

  /// Runs mailbox commands in a transaction of their own.
  @discardableResult
  private func run(_ test: CommitTestVault, _ reader: TestReader, _ commands: [UInt8]) throws
    -> [UInt8]
  {
    let session = try test.present("door", to: reader)
    return try reader.open(try test.exchange(session, reader.exchange(commands)).value.messages)
  }

  @Test func `what one reader writes another reads, after a restart too`() throws {
    var test = try CommitTestVault()
    let key = try test.door("door", mailbox: 8)
    #expect(try test.mailbox(of: "door") == [UInt8](repeating: 0, count: 8))
    #expect(try run(test, TestReader(key), write(2, [5, 6])) == [0, 2, 0, 0])
    for _ in 0..<2 {
      let found = try run(test, TestReader(key, sub: 2), read)
      #expect(found == [0, 8, 0, 0, 5, 6, 0, 0, 0, 0, 0, 2, 0, 0])
      test = try test.restarted()
    }
  }

  @Test func `writes of two sessions both count, as each range is written where it belongs`() throws
  {
    let test = try CommitTestVault()
    let key = try test.door("door", mailbox: 8)
    let (first, second) = (try TestReader(key, sub: 1), try TestReader(key, sub: 2))
    let one = try test.present("door", to: first)
    let two = try test.present("door", to: second, connection: 2)
    let answers = (0..<2).map { _ in Answer<CommitTestVault.Numbered<PresentationStep>>() }
    let commands = (
      try first.exchange(write(0, [1, 1, 1])), try second.exchange(write(2, [2, 2]))
    )
    let subject = CommitTestVault.subject
    // Both are computed before either is carried out.
    HeldCall([]).holdCommitter(test.vault) {
      test.worker.exchange(one, commands.0, connection: 1, by: subject, answers[0].reply)
      test.worker.exchange(two, commands.1, connection: 2, by: subject, answers[1].reply)
    }
    for answer in answers { _ = try answer.get() }
    #expect(try test.mailbox(of: "door") == [1, 1, 2, 2, 0, 0, 0, 0])
  }

  @Test func `a mailbox outlives a new pass of the same size, and nothing else`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door", mailbox: 8)
    try run(test, TestReader(key), write(0, [7]))
    try test.storePass(TestPass.pass(for: key, mailbox: 8), "door")
    #expect(try test.mailbox(of: "door") == [7, 0, 0, 0, 0, 0, 0, 0])
    try test.storePass(TestPass.pass(for: key, mailbox: 9), "door")
    #expect(try test.mailbox(of: "door") == [UInt8](repeating: 0, count: 9))
    try test.storePass(TestPass.pass(for: key), "door")
    #expect(try test.mailbox(of: "door") == nil)
    #expect(try !test.records(of: "door").contains("mailbox/mailbox"))
    try test.storePass(TestPass.pass(for: key, mailbox: 9), "door")
    #expect(try test.describePass("door").mailbox?.size == 9)
    try test.deletePass("door")
    #expect(try test.records(of: "door") == [])
  }

  @Test func `a damaged mailbox is named when it is asked for, and the rest works`() throws {
    let test = try CommitTestVault()
    let key = try test.door("door", mailbox: 8)
    test.vault.close()
    try test.directory.tamper("UPDATE record SET box = zeroblob(length(box)) WHERE kind = 4")
    let hurt = try CommitTestVault(test.directory)
    #expect(try hurt.describePass("door").refusal == nil)
    #expect(throws: AliroError.self) { try hurt.mailbox(of: "door") }
    let reader = try TestReader(key)
    let session = try hurt.greet(reader, at: "door")
    let step = try hurt.exchange(session, reader.auth1()).value
    #expect(step.refusal?.code == .damaged)
  }
}
