import DiskFaults
import Foundation
import Glibc
import NokeEngine
import Synchronization
import Testing

@testable import VaultCore

/// Whatever becomes of a commit, a lock has a pair that opens it, and what was answered stays true.
@Suite struct OperationsNokeFaultTests {
  /// The steps of a rotation, each with what a caller was told last.
  private struct Script {
    let test: CommitTestVault
    /// The packets that were given out, by session.
    var packets: [Int: NokePacket] = [:]
    /// The generation that is active, as far as anybody was told.
    var active: Int64 = 1
    /// The highest generation that anybody was told of.
    var newest: Int64 = 1

    mutating func unlock(_ session: Int, role: NokeRole? = nil) throws {
      packets[session] = try test.unlock(session, role: role, request: "\(session)").value.packet
    }

    /// The steps, in order; each may fail, and be made again.
    static let steps: [@Sendable (inout Script) throws -> Void] = [
      { try $0.unlock(1) },
      { $0.newest = max($0.newest, try $0.test.storeNoke(TestPair(2)).value.generation) },
      { try $0.unlock(2, role: .pending) },
      { script in
        _ = try script.test.report(.success, of: 2)
        script.active = 2
      },
      { try $0.unlock(3) },
      { script in
        script.active = try script.test.demote().value.active
      },
      { try $0.unlock(4) },
      { script in script.active = try script.test.promote().value.active },
      { try $0.unlock(5, role: .former) },
      { _ = try $0.test.report(.wrongKey, of: 5) },
    ]
  }

  /// Checks that a vault keeps what was promised, and that the door opens.
  private func check(
    _ test: CommitTestVault, _ script: Script, isBetween: Bool, _ comment: String
  ) throws {
    #expect(test.damage == [], "\(comment)")
    let found = try test.describeNoke()
    let active = found.pairs.filter { $0.role == .active }
    #expect(active.count == 1 && active.first?.refusal == nil, "\(comment)")
    #expect(found.pairs.count { $0.refusal == nil } >= 1, "\(comment)")
    if !isBetween {
      #expect(active.first?.generation == script.active, "\(comment)")
    }
    #expect(found.pairs.contains { $0.generation == script.newest }, "\(comment)")
    // Each packet that was given out is the one that its request gets again, while its pair opens.
    for (session, packet) in script.packets {
      let again = try? test.unlock(session, role: role(of: session), request: "\(session)").value
      if let again { #expect(again.packet == packet && again.isRepeated, "\(comment): \(session)") }
    }
    // The door opens, with a pair that the vault was given.
    test.clock.advance(boot: 60)
    let session = Int.random(in: 1_000..<1 << 31)
    let opened = try test.unlock(session)
    let pair = TestPair(UInt8(opened.value.generation))
    let expected = try pair.packet(.number(session))
    #expect(opened.value.packet == expected, "\(comment)")
  }

  private func role(of session: Int) -> NokeRole? {
    [2: .pending, 5: .former][session]
  }

  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, the call can be made again and the door opens`(
    _ code: Int32
  ) throws {
    var count = 0
    var failures = 1
    while failures > 0 {
      let recorder = DiskRecorder()
      let directory = try LedgerTestVault(recorder: recorder)
      let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
      try test.lock("door")
      var script = Script(test: test)
      recorder.fail(
        .init(after: count, code: code, isLasting: false) { event in
          !event.isOfSegment && (code == EIO || event.needsSpace)
        })
      for (index, step) in Script.steps.enumerated() {
        do { try step(&script) } catch let error as VaultError {
          #expect(
            [.auditUnavailable, .storageFull, .notFound].contains(error.code),
            "\(count): \(error)")
          try check(test, script, isBetween: true, "\(code), \(count), step \(index)")
          // What was answered with an error may have been done: a demotion is not made twice.
          if let found = try? test.describeNoke().pairs.first { script.active = found.generation }
          let isDone = [5: script.active == 1, 7: script.active == 2][index] ?? false
          if !isDone { try step(&script) }
        }
      }
      failures = recorder.failures
      recorder.fail(nil)
      try check(test, script, isBetween: false, "\(code), \(count)")
      #expect(try test.pairs() == ["active 2", "former 1 stale"], "\(count)")
      test.vault.close()
      let again = try CommitTestVault(
        directory, audit: AuditDirectory(path: directory.path + "/audit"))
      try check(again, script, isBetween: false, "\(code), \(count), restarted")
      count += 1
    }
    #expect(count > 20)
  }

  @Test func `power loss at any moment leaves a pair that opens`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.lock("door")
    var script = Script(test: test)
    var scripts = [script]
    recorder.mark("0")
    for step in Script.steps {
      try step(&script)
      scripts.append(script)
      recorder.mark("\(scripts.count - 1)")
    }
    test.vault.close()
    var image = DiskImage(directories: ["/tmp", directory.root])
    var told: Int?
    var restarts = 0
    for (index, event) in recorder.events.enumerated() {
      if case .mark(let mark) = event { told = Int(mark) }
      image.apply(event)
      guard let told, event.isSync else { continue }
      for survival in [DiskImage.Survival.none, .random(seed: UInt64(index)), .all] {
        let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
        try image.write(survival, below: directory.root, to: copy.root)
        let restarted = try CommitTestVault(copy)
        try check(
          restarted, scripts[told], isBetween: true, "event \(index), \(survival)")
        restarted.vault.close()
        restarts += 1
      }
    }
    #expect(restarts >= 3 * Script.steps.count)
  }
}
