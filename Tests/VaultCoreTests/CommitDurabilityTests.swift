import DiskFaults
import Foundation
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

@Suite struct CommitDurabilityTests {
  private final class Snapshots: Sendable {
    let states = Mutex<[Promises.State]>([])
  }

  /// A script of calls, each noted in the recorder's list at the moment of its answer.
  private struct Script {
    let test: CommitTestVault
    let recorder: DiskRecorder
    let promises = Promises()
    private let snapshots = Snapshots()

    func promise(_ change: (inout Promises.State) -> Void) {
      let state = promises.state.withLock { state in
        change(&state)
        return state
      }
      let index = snapshots.states.withLock { snapshots in
        snapshots.append(state)
        return snapshots.count - 1
      }
      recorder.mark("\(index)")
    }

    /// What was promised at a mark.
    func state(_ mark: String) -> Promises.State? {
      Int(mark).flatMap { index in snapshots.states.withLock { $0[index] } }
    }

    func key(_ name: String, _ purpose: KeyPurpose) throws {
      let found = try test.publicKey(name, purpose)
      promise {
        $0.keys["\(name)#\(purpose.rawValue)"] = (found.value.version, found.value.key.uncompressed)
        $0.lines[found.sequence] = "key.public"
      }
    }

    func sign(_ name: String) throws {
      let line = try test.sign(name).sequence
      promise { $0.lines[line] = "key.sign" }
    }

    func pass(_ name: String) throws {
      let key = try test.publicKey(name, .presentation).value.key
      promise { $0.passes[name] = nil }
      let stored = try test.storePass(TestPass.pass(for: key), name)
      promise {
        $0.passes[name] = stored.value.pass.digest
        $0.lines[stored.sequence] = "pass.store"
      }
    }

    func deletePass(_ name: String) throws {
      // While the call is under way neither answer is promised.
      promise {
        $0.passes[name] = nil
        $0.keys["\(name)#presentation"] = nil
      }
      let deleted = try test.deletePass(name)
      promise {
        $0.passes[name] = .some(nil)
        $0.lines[deleted.sequence] = "pass.delete"
      }
    }

    func revoke(_ name: String) throws {
      promise {
        $0.keys = $0.keys.filter { !$0.key.hasPrefix(name + "#") }
        $0.passes[name] = nil
      }
      let line = try test.revoke(name)
      promise {
        $0.revoked.insert(name)
        $0.lines[line] = "namespace.revoke"
      }
    }

    func run() throws {
      try key("a", .signing)
      try key("b", .presentation)
      try pass("b")
      try sign("a")
      #expect(code { try test.sign("b") } == .keyUnusable)
      try deletePass("b")
      try key("b", .presentation)
      try pass("b")
      let sealed = try test.seal()
      promise { $0.lines[sealed] = "seal" }
      #expect(code { try test.unseal([UInt8](repeating: 9, count: 32)) } == .wrongSecret)
      let unsealed = try test.unseal()
      promise { $0.lines[unsealed] = "unseal" }
      try key("c", .signing)
      try sign("c")
      try revoke("c")
      try sign("a")
    }
  }

  /// Rebuilds the disk as a crash at this moment may have left it, and looks whether the vault that
  /// starts from it keeps every promise.
  private func restart(
    _ image: DiskImage, _ survival: DiskImage.Survival, of root: String,
    _ promises: Promises.State, _ comment: String
  ) throws {
    let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
    try image.write(survival, below: root, to: copy.root)
    let test = try CommitTestVault(copy)
    try test.check(promises, comment)
    // And it goes on from there.
    try test.publicKey("next")
    test.vault.close()
    guard survival != .none else { return }
    let again = try CommitTestVault(copy)
    #expect(again.damage == [], "\(comment), again")
    #expect(try !again.publicKey("next").value.isNew)
  }

  @Test func `power loss at any moment keeps every promise and shows nothing half-done`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let audit = RecordedAudit(directory, recorder)
    let test = try CommitTestVault(directory, audit: audit)
    let script = Script(test: test, recorder: recorder)
    script.promise { _ in }
    try script.run()
    test.vault.close()

    var image = DiskImage(directories: ["/tmp", directory.root])
    var promises: Promises.State?
    var restarts = 0
    for (index, event) in recorder.events.enumerated() {
      if case .mark(let mark) = event { promises = script.state(mark) }
      let comment = "event \(index)"
      // Just before a synchronisation most is at stake; just after it, only what was waited for.
      if let promises, event.isSync {
        for seed in 0..<2 {
          try restart(
            image, .random(seed: UInt64(index * 8 + seed)), of: directory.root, promises,
            "\(comment), random \(seed)")
        }
        try restart(image, .all, of: directory.root, promises, "\(comment), all")
        restarts += 3
      }
      image.apply(event)
      if let promises, event.isSync {
        try restart(image, .none, of: directory.root, promises, "\(comment), none")
        restarts += 1
      }
    }
    #expect(restarts > 100)
  }
}
