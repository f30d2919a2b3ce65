import Foundation
import Synchronization
import Testing
import WireCoding

@testable import VaultCore

/// Holds finished answers between computing and numbering, and the committer between two batches.
final class HeldCall: Sendable {
  private let methods: Set<String>
  private let isOn = Atomic(false)
  private let arrived = DispatchSemaphore(value: 0)
  private let go = DispatchSemaphore(value: 0)

  /// Will hold calls of these methods, once ``start()`` was called.
  init(_ methods: Set<String>) {
    self.methods = methods
  }

  var hooks: VaultHooks {
    var hooks = VaultHooks()
    hooks.computed = { method in
      guard self.isOn.load(ordering: .sequentiallyConsistent),
        self.methods.contains(method.description)
      else { return }
      self.arrived.signal()
      self.go.wait()
    }
    return hooks
  }

  /// From now on calls are held.
  func start() { isOn.store(true, ordering: .sequentiallyConsistent) }

  /// Waits until a call is held.
  func waitUntilHeld() {
    if arrived.wait(timeout: .now() + 60) != .success { Issue.record("No call was held.") }
  }

  /// Lets one call go, and no other is held.
  func release() {
    isOn.store(false, ordering: .sequentiallyConsistent)
    go.signal()
  }

  /// Runs a call on a thread of its own, which stops between computing and numbering.
  func holding<Value: Sendable>(
    _ test: CommitTestVault,
    _ call: @escaping @Sendable (VaultWorker, @escaping VaultWorker.Answer<Value>) -> Void,
    _ meanwhile: () throws -> Void
  ) throws -> Answer<Value> {
    let answer = Answer<Value>()
    let vault = test.vault
    start()
    let thread = Thread { call(VaultWorker(vault), answer.reply) }
    thread.start()
    waitUntilHeld()
    #expect(answer.count == 0)
    try meanwhile()
    #expect(answer.count == 0)
    release()
    return answer
  }

  /// Stops the committer at the end of a batch while `body` queues calls, which then all come into
  /// the next batch, in order.
  func holdCommitter(_ vault: Vault, _ body: () -> Void) {
    let held = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    vault.committer.submit(
      .note(AuditEntry("test.hold", by: .daemon)) { _ in
        held.signal()
        released.wait()
      })
    held.wait()
    body()
    released.signal()
  }
}

/// That a call was answered once, with an error of this class.
func refused<Value>(_ answer: Answer<Value>, _ expected: VaultError.Code) throws {
  guard case .failure(let error) = try answer.result() else {
    Issue.record("An answer went out that should not have.")
    return
  }
  #expect(error.code == expected)
  #expect(answer.count == 1)
}
