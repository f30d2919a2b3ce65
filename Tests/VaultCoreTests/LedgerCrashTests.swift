import DiskFaults
import Foundation
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// What survives when the power goes, or the disk fails, in the middle of things.
@Suite struct LedgerCrashTests {
  /// What a vault should hold after some commit.
  struct Model: Equatable {
    var seq: Int64 = 0
    /// Content of the key record by name; `nil` for a tombstone.
    var names: [String: String?] = [:]
  }

  /// A series of commits of every kind; each is one step.
  private static var steps: [(OpenTestLedger, inout Model) throws -> Void] {
    var steps: [(OpenTestLedger, inout Model) throws -> Void] = []
    for batch in 0..<3 {
      steps.append { open, model in
        var names: [String: String] = [:]
        try open.commit { writer in
          for index in 0..<4 {
            let name = "batch-\(batch)/\(index)"
            try writer.create(name)
            try writer.put("first \(name)", .key, "1", in: name)
            names[name] = "first \(name)"
          }
        }
        for (name, content) in names { model.names[name] = content }
      }
      steps.append { open, model in
        let name = "batch-\(batch)/1"
        try open.commit { try $0.put("second \(name)", .key, "1", in: name) }
        model.names[name] = "second \(name)"
      }
      steps.append { open, model in
        let name = "batch-\(batch)/2"
        try open.commit { _ = try $0.bury(try NamespaceName(name), at: 9) }
        model.names.updateValue(nil, forKey: name)
      }
      steps.append { open, _ in
        // A line only: the index stays as it is.
        try open.commit { writer in
          let number = Int64(batch) + 1
          try writer.addToOutbox(
            OutboxRow(batch: number, firstSeq: number, lastSeq: number, lines: [1], mac: nil))
        }
      }
    }
    return steps
  }

  private func check(_ vault: LedgerTestVault) throws -> Model {
    let open = try vault.open()
    #expect(open.report.damage == [])
    var model = Model(seq: open.report.state.seq)
    let entries = try open.reader.read { snapshot throws(LedgerError) in
      try snapshot.allNamespaces(prefix: "")
    }
    for entry in entries {
      let name = entry.name.rawValue
      if entry.state == .tombstone {
        model.names.updateValue(nil, forKey: name)
      } else {
        let content = try open.record(name, .key, "1")
        model.names[name] = String(decoding: try #require(content), as: UTF8.self)
      }
    }
    return model
  }

  @Test func `power loss at any moment loses nothing that was acknowledged`() throws {
    let recorder = DiskRecorder()
    let vault = try LedgerTestVault(recorder: recorder)
    var models = [Model()]
    do {
      let open = try vault.open()
      // Small, so that checkpoints fall between and into commits.
      try open.writer.connection.execute("PRAGMA wal_autocheckpoint=40")
      for (index, step) in Self.steps.enumerated() {
        var model = models[index]
        try step(open, &model)
        model.seq += 1
        models.append(model)
        recorder.mark("\(model.seq)")
        if index == 5 { #expect(try open.writer.truncateLog()) }
      }
    }
    let events = recorder.events
    #expect(events.count { $0.isSync } > Self.steps.count)
    var image = DiskImage(directories: ["/tmp", vault.root])
    var acknowledged: Int64 = 0
    var checked = 0
    // The initialisation is another test's: its end is where the vault is in place.
    let start = try #require(
      events.firstIndex { if case .rename = $0 { true } else { false } })
    for (index, event) in events.enumerated() {
      image.apply(event)
      if case .mark(let seq) = event { acknowledged = Int64(seq) ?? -1 }
      guard index > start + 1 else { continue }
      // Around each sync every kind of survival, elsewhere now and then a random one.
      var survivals: [DiskImage.Survival] = []
      if event.isSync || (index + 1 < events.count && events[index + 1].isSync) {
        survivals = [.none, .all] + (0..<3).map { .random(seed: UInt64(index * 8 + $0)) }
      } else if index % 5 == 0 {
        survivals = [.random(seed: UInt64(index))]
      }
      for survival in survivals {
        let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
        try image.write(survival, below: vault.root, to: copy.root)
        let found = try check(copy)
        #expect(found.seq >= acknowledged, "event \(index), \(survival)")
        #expect(found == models[Int(found.seq)], "event \(index), \(survival)")
        checked += 1
      }
    }
    #expect(acknowledged == Int64(Self.steps.count))
    #expect(checked > 100)
  }

  @Test(arguments: [ENOSPC, EIO])
  func `whichever operation fails, the vault is at one commit or the next`(
    _ code: Int32
  ) throws {
    let recorder = DiskRecorder()
    let vault = try LedgerTestVault(recorder: recorder)
    var open = try vault.open()
    try open.writer.connection.execute("PRAGMA wal_autocheckpoint=8")
    var model = Model()
    var failures = 0
    for (index, step) in Self.steps.enumerated() {
      // Let the step fail at its first operation, then the next, until it goes through.
      var count = index % 3
      while true {
        var next = model
        recorder.fail(.init(after: count, code: code, isLasting: index % 2 == 0))
        let result = Result { try step(open, &next) }
        recorder.fail(nil)
        next.seq += 1
        guard case .failure(let error) = result else {
          model = next
          break
        }
        failures += 1
        switch error as? LedgerError {
        case .store(.storageFull): #expect(code == ENOSPC)
        case .store(.inputOutput), .store(.cannotOpen): #expect(code == EIO)
        default: Issue.record("step \(index), operation \(count): \(error)")
        }
        // Memory and database agree without reopening, as long as the device says it has room.
        if code == ENOSPC {
          #expect(open.ledger.unsealed?.state.seq == model.seq)
          #expect(try open.ledger.proveAgain().damage == [])
        } else {
          // A device that failed is opened anew, and says itself where it is.
          try open.writer.reopen()
          let report = try open.ledger.proveAgain()
          #expect(report.damage == [])
          if report.state.seq == next.seq {
            model = next
            break
          }
        }
        #expect(try #require(open.ledger.unsealed).state.seq == model.seq)
        count += 1
      }
      #expect(open.ledger.unsealed?.state.seq == model.seq)
    }
    #expect(failures > Self.steps.count)
    open = try OpenTestLedger(
      ledger: open.ledger, writer: open.writer, reader: LedgerReader(open.ledger),
      report: open.ledger.proveAgain())
    #expect(try open.writer.truncateLog())
    let copy = try LedgerTestVault(copying: vault)
    #expect(try check(copy) == model)
  }
}
