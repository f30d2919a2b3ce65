import Foundation
import Synchronization
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

@Suite struct LedgerConcurrencyTests {
  @Test func `readers on other threads never mistake a commit for damage`() throws {
    let vault = try LedgerTestVault()
    let open = try vault.open()
    try open.commit { writer in for index in 0..<8 { try writer.create("door-\(index)") } }
    let isDone = Atomic(false)
    let ledger = open.ledger
    let reads = Atomic(0)
    let group = DispatchGroup()
    for seed in 0..<2 {
      // Threads of their own: the shared queues may be busy with other tests.
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          let reader = try LedgerReader(ledger)
          while !isDone.load(ordering: .acquiring) {
            let round = reads.add(1, ordering: .relaxed).newValue
            let name = try NamespaceName("door-\((round + seed) % 8)")
            let late = try NamespaceName("late-\(round % 200)")
            let entry = try reader.read { snapshot throws(LedgerError) in
              _ = try snapshot.namespace(named: late)
              return try snapshot.namespace(named: name)
            }
            #expect(entry != nil)
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    var index = 0
    // Until both sides have had enough of each other, however the machine shares itself out.
    while index < 200 || (index < 20_000 && reads.load(ordering: .relaxed) < 200) {
      try open.commit { writer in
        try writer.create("late-\(index)")
        _ = try writer.raiseGeneration(try NamespaceName("door-\(index % 8)"), at: 1)
      }
      if index % 50 == 49 { _ = try open.writer.truncateLog() }
      index += 1
    }
    isDone.store(true, ordering: .releasing)
    group.wait()
    #expect(try open.ledger.proveAgain().damage == [])
  }
}
