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
    let counts = Mutex((reads: 0, seen: 0))
    let group = DispatchGroup()
    for seed in 0..<2 {
      DispatchQueue.global().async(group: group) {
        var reads = 0
        var seen = 0
        do {
          let reader = try LedgerReader(ledger)
          while !isDone.load(ordering: .acquiring) {
            let name = try NamespaceName("door-\((reads + seed) % 8)")
            let late = try NamespaceName("late-\(reads % 200)")
            let (entry, other) = try reader.read { snapshot throws(LedgerError) in
              (try snapshot.namespace(named: name), try snapshot.namespace(named: late))
            }
            #expect(entry != nil)
            reads += 1
            if other != nil { seen += 1 }
          }
        } catch {
          Issue.record(error)
        }
        counts.withLock { $0 = ($0.reads + reads, $0.seen + seen) }
      }
    }
    for index in 0..<200 {
      try open.commit { writer in
        try writer.create("late-\(index)")
        _ = try writer.raiseGeneration(try NamespaceName("door-\(index % 8)"), at: 1)
      }
      if index % 50 == 49 { _ = try open.writer.truncateLog() }
    }
    isDone.store(true, ordering: .releasing)
    group.wait()
    #expect(counts.withLock { $0.reads } > 100)
    #expect(try open.ledger.proveAgain().damage == [])
  }
}
