import DiskFaults
import Foundation
import Synchronization
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// The committer's loop on the test's own thread, so that batches are what the test makes them.
@Suite struct CommitLoopTests {
  private struct Loop {
    let directory: LedgerTestVault
    let ledger: Ledger
    let loop: CommitLoop
    let shared = SharedState(authority: Authority(), accounts: TestAccounts()) { _ in }
    let clock = TestClock()

    init(_ recorder: DiskRecorder? = nil) throws {
      try SecureHeap.start(bytes: 1 << 20)
      let directory = try LedgerTestVault(recorder: recorder)
      self.directory = directory
      let plain = AuditDirectory(path: directory.path + "/audit")
      let audit: any AuditSource = recorder.map { RecordedAudit(directory, $0) } ?? plain
      let (ledger, writer) = try Ledger.open(directory.database)
      self.ledger = ledger
      loop = try CommitLoop(
        ledger: ledger, writer: writer, audit: AuditParts(source: audit), reserve: nil,
        clock: clock,
        shared: shared)
    }

    func unseal(_ answer: Answer<Int64> = Answer()) throws -> WorkItem {
      let box = try ledger.openSlot(try LedgerTestVault.secret(LedgerTestVault.first))
      return .unseal(AuditEntry("unseal", by: .daemon), box, finish: answer.reply)
    }

    func note(_ answer: Answer<Int64> = Answer()) -> WorkItem {
      .note(AuditEntry("test.note", by: .daemon), finish: answer.reply)
    }

    func seal(_ answer: Answer<Int64> = Answer()) -> WorkItem {
      .seal(AuditEntry("seal", by: .daemon), finish: answer.reply)
    }

    func create(
      _ name: String, _ answer: Answer<CommitTestVault.Numbered<NamespaceEntry>> = Answer()
    ) throws -> WorkItem {
      let name = try NamespaceName(name)
      return .mutation(AuditEntry("namespace.create", by: .daemon)) { context throws(VaultError) in
        try context.create(name)
      } finish: {
        answer.reply($0)
      }
    }

    func revoke(_ name: String) throws -> WorkItem {
      let name = try NamespaceName(name)
      return .mutation(AuditEntry("namespace.revoke", by: .daemon)) { context throws(VaultError) in
        try context.bury(name)
      } finish: { _ in
      }
    }

    var outbox: [OutboxRow] {
      get throws { try loop.writer.outbox(after: 0) }
    }
  }

  @Test func `opening and closing in the middle of what was queued split it into batches`() throws {
    let test = try Loop()
    let notes = (0..<4).map { _ in Answer<Int64>() }
    let creations = (0..<4).map { _ in Answer<CommitTestVault.Numbered<NamespaceEntry>>() }
    let (opened, closed, late) = (Answer<Int64>(), Answer<Int64>(), Answer<Int64>())
    test.loop.serve([
      test.note(notes[0]), try test.create("a", creations[0]), try test.unseal(opened),
      test.note(notes[1]), try test.create("a", creations[1]), try test.create("a", creations[2]),
      test.seal(closed), try test.create("b", creations[3]), test.note(notes[2]), test.seal(late),
      test.note(notes[3]),
    ])
    #expect(try notes.map { try $0.get() } == [1, 4, 9, 11])
    #expect(try opened.get() == 3 && closed.get() == 7 && late.get() == 10)
    #expect(code { _ = try creations[0].get() } == .sealed)
    #expect(try creations[1].get().sequence == 5)
    #expect(code { _ = try creations[2].get() } == .conflict)
    #expect(code { _ = try creations[3].get() } == .sealed)
    #expect(test.ledger.unsealed == nil)
    // Batches: sealed, opening, open with the closing line, sealed with a closing line, sealed.
    #expect(try test.outbox.map(\.lastSeq) == [2, 3, 7, 10, 11])
    #expect(try test.outbox.map { $0.mac == nil } == [false, false, false, true, true])
    let again = Answer<Int64>()
    test.loop.serve([try test.unseal(again)])
    _ = try again.get()
    test.loop.rest()
    let log = try AuditLog(directory: test.directory.path, vaultID: test.ledger.vaultID)
    #expect(log.lines.count == 12 && log.batches.count == 6)
    for answer in notes + [opened, closed, late, again] { #expect(answer.count == 1) }
    test.loop.sealKeys()
  }

  @Test func `rows leave the outbox once the segment is durable behind them`() throws {
    let test = try Loop()
    test.loop.serve([try test.unseal()])
    for _ in 0..<5 { test.loop.serve([test.note()]) }
    // The segment was synchronised for the checkpoint at the start; since then nothing was.
    #expect(try test.outbox.count == 5)
    test.loop.rest()
    test.loop.serve([test.note()])
    #expect(try test.outbox.count == 1)
    for _ in 0..<CommitLoop.restEvery { test.loop.serve([test.note()]) }
    // Without a pause too.
    #expect(try test.outbox.count < CommitLoop.restEvery)
    test.loop.sealKeys()
  }

  @Test func `a checkpoint is made at least each second while lines come in`() throws {
    let test = try Loop()
    test.loop.serve([try test.unseal()])
    for _ in 0..<4 {
      test.clock.advance(milliseconds: 999)
      test.loop.serve([test.note(), test.note()])
      test.clock.advance(milliseconds: 1)
      test.loop.serve([test.note()])
      test.loop.serve([test.note()])
    }
    let log = try AuditLog(directory: test.directory.path, vaultID: test.ledger.vaultID)
    #expect(log.checkpoints.map(\.sequence) == [1, 4, 8, 12, 16])
    #expect(log.lines.count == 17)
    #expect(test.shared.status.withLock { $0.checkpoint } == 16)
    test.loop.sealKeys()
  }

  @Test func `the newest batch never leaves the outbox`() throws {
    let test = try Loop()
    let steps: [() throws -> Void] = [
      { test.loop.serve([test.note()]) }, { test.loop.serve([try test.unseal()]) },
      { test.loop.serve([test.note(), test.note()]) }, { test.loop.rest() },
      { test.loop.serve([try test.create("a")]) }, { test.loop.rest() }, { test.loop.rest() },
      { test.loop.serve([try test.revoke("a")]) }, { test.loop.rest() },
      { test.loop.serve([test.seal()]) }, { test.loop.rest() },
      { test.loop.serve([test.note()]) }, { test.loop.serve([try test.unseal(), test.note()]) },
      { for _ in 0...CommitLoop.restEvery { test.loop.serve([test.note()]) } },
    ]
    for step in steps {
      try step()
      let newest = try #require(try test.loop.writer.newestOutboxRow())
      #expect(newest.batch == test.loop.position.epoch)
      #expect(newest.lastSeq == test.loop.position.chain.sequence)
    }
    #expect(try test.outbox.count < CommitLoop.restEvery)
    test.loop.sealKeys()
  }

  @Test func `what a failed synchronisation may have dropped is written again`() throws {
    let recorder = DiskRecorder()
    let test = try Loop(recorder)
    test.loop.serve([try test.unseal()])
    test.loop.rest()
    let start = recorder.events.count
    for _ in 0..<3 { test.loop.serve([test.note()]) }
    recorder.fail(
      .init(after: 0, code: EIO, isLasting: false) { event in
        if case .synchronise = event { event.isOfSegment } else { false }
      })
    test.loop.rest()
    #expect(recorder.failures == 1)
    let failed = recorder.events.count
    test.loop.serve([test.note()])
    test.loop.rest()
    // Now the rows leave the outbox: the segment has to have them.
    test.loop.serve([test.note()])
    #expect(try test.outbox.count == 1)
    test.loop.sealKeys()
    // The kernel reports a page that it could not write once, and then takes it for clean.
    var image = DiskImage(directories: ["/tmp", test.directory.root])
    for (index, event) in recorder.events.enumerated() {
      if case .write = event, event.isOfSegment, (start..<failed).contains(index) { continue }
      image.apply(event)
    }
    let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
    try image.write(.none, below: test.directory.root, to: copy.root)
    let again = try CommitTestVault(copy)
    #expect(again.damage == [])
    #expect(try AuditLog(again).lines.count { $0.method == "test.note" } == 5)
  }

  @Test func `a commit that proves to be durable after all is gone on from`() throws {
    let test = try Loop()
    test.loop.serve([try test.unseal()])
    // COMMIT has done its work, and its success was not heard.
    let batch = CommitBatch(test.loop)
    try batch.carryOut([try test.create("a"), test.note()])
    let before = test.loop.position
    test.loop.doubt = CommitLoop.Doubt(batch: batch)
    test.loop.rest()
    #expect(test.loop.doubt == nil && test.loop.position == batch.position)
    #expect(batch.position.epoch == before.epoch + 1)
    let again = Answer<CommitTestVault.Numbered<NamespaceEntry>>()
    test.loop.serve([try test.create("a", again)])
    #expect(code { _ = try again.get() } == .conflict)
    test.loop.rest()
    let log = try AuditLog(directory: test.directory.path, vaultID: test.ledger.vaultID)
    #expect(log.batches.count == 3)
    test.loop.sealKeys()
  }

  @Test func `an erasure that a reader holds up is finished later, and recorded`() throws {
    let test = try Loop()
    test.loop.serve([try test.unseal(), try test.create("a"), try test.create("b")])
    let reader = try test.directory.database.openReader()
    try reader.beginReading()
    _ = try reader.stateRow()
    test.loop.serve([try test.revoke("a")])
    #expect(test.shared.status.withLock { $0.erasurePending } == 1)
    try reader.rollback()
    test.loop.rest()
    #expect(test.shared.status.withLock { $0.erasurePending } == 0)
    let log = try AuditLog(directory: test.directory.path, vaultID: test.ledger.vaultID)
    #expect(log.lines.last?.method == "erasure.complete")
    test.loop.sealKeys()
  }

  @Test func `an erasure that was not finished is finished after a restart`() throws {
    let test = try Loop()
    let reader = try test.directory.database.openReader()
    test.loop.serve([try test.unseal(), try test.create("a")])
    try reader.beginReading()
    _ = try reader.stateRow()
    test.loop.serve([try test.revoke("a")])
    test.loop.serve([test.seal()])
    try reader.rollback()
    #expect(test.shared.status.withLock { $0.erasurePending } == 1)
    test.loop.serve([try test.unseal()])
    test.loop.rest()
    #expect(test.shared.status.withLock { $0.erasurePending } == 0)
    test.loop.sealKeys()
  }

  @Test func `the queue keeps its order, its bound and its end`() {
    let queue = BlockingQueue<Int>()
    #expect(queue.take(atMost: 5, waiting: 0) == [])
    for value in 0..<7 { #expect(queue.push(value)) }
    #expect(queue.take(atMost: 5, waiting: 0) == [0, 1, 2, 3, 4])
    queue.close()
    #expect(!queue.push(9) && !queue.isOpen)
    #expect(queue.take(atMost: 5, waiting: 0) == [5, 6])
    #expect(queue.take(atMost: 5, waiting: 60_000) == nil)
  }
}
