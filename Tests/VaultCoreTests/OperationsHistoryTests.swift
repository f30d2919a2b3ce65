import DiskFaults
import Foundation
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Many threads at once, and then the question whether what they were told fits one order.
@Suite struct OperationsHistoryTests {
  private static let threads = 8
  private static let calls = 400
  private static let names = 24

  private struct Event: Sendable {
    var method: String
    var name: String
    /// The key's version, for calls that give one; for a deletion whether a key went.
    var version: Int64?
    var sequence: Int64?
    var code: VaultError.Code?
  }

  private final class History: Sendable {
    let events = Mutex<[Event]>([])

    func reply<Value: Sendable>(
      _ method: String, _ name: String, _ done: DispatchGroup,
      _ version: @escaping @Sendable (Value) -> Int64?
    ) -> VaultWorker.Answer<(value: Value, sequence: Int64)> {
      done.enter()
      return { result in
        var event = Event(method: method, name: name)
        switch result {
        case .success(let found):
          event.sequence = found.sequence
          event.version = version(found.value)
        case .failure(let error): event.code = error.code
        }
        let noted = event
        self.events.withLock { $0.append(noted) }
        done.leave()
      }
    }
  }

  /// One thread's calls, many of them under way at once.
  private static func run(_ vault: Vault, _ history: History, seed: UInt64) {
    let worker = VaultWorker(vault)
    let subject = CommitTestVault.subject
    let done = DispatchGroup()
    var random = SplitMix(state: seed)
    for index in 0..<calls {
      let text = "n/\(random.next() % UInt64(names))"
      guard let name = try? NamespaceName(text) else { continue }
      switch random.next() % 100 {
      case 0 where index > calls / 4:
        worker.revokeNamespace(
          name, by: subject, history.reply("namespace.revoke", text, done) { _ in nil })
      case 1..<8:
        worker.deletePass(
          name, by: subject,
          history.reply("pass.delete", text, done) { $0.hadKey ? 1 : nil })
      case 8..<30:
        worker.publicKey(
          name, .presentation, by: subject,
          history.reply("key.public", text, done) { $0.version })
      case 30..<40:
        worker.publicKey(
          name, .signing, by: subject, history.reply("key.public", text, done) { _ in nil })
      default:
        worker.sign(
          name, .message([UInt8(index & 255)]), by: subject,
          history.reply("key.sign", text, done) { _ in nil })
      }
      if index % 16 == 15 { done.wait() }
    }
    done.wait()
  }

  @Test func `every answer has its line, and no answer crosses a revocation`() throws {
    let test = try CommitTestVault()
    let history = History()
    let finished = DispatchGroup()
    let vault = test.vault
    for seed in 0..<Self.threads {
      finished.enter()
      let thread = Thread {
        Self.run(vault, history, seed: UInt64(seed))
        finished.leave()
      }
      thread.start()
    }
    finished.wait()
    let events = history.events.withLock { $0 }
    #expect(events.count == Self.threads * Self.calls)
    let refusals = Set(events.compactMap(\.code))
    #expect(refusals.isSubset(of: [.revoked, .notFound, .keyUnusable, .conflict]), "\(refusals)")

    let log = try AuditLog(test)
    let lines = Dictionary(uniqueKeysWithValues: log.lines.map { ($0.sequence, $0) })
    for event in events {
      guard let sequence = event.sequence else { continue }
      let line = try #require(lines[sequence])
      #expect(line.method == event.method && line.namespace == event.name)
      #expect(line.outcome == "ok" && line.code == nil)
    }
    let numbers = events.compactMap(\.sequence)
    #expect(Set(numbers).count == numbers.count)
    // Refusals have theirs as well, one each.
    for method in ["key.sign", "key.public", "pass.delete", "namespace.revoke"] {
      #expect(
        log.lines.count { $0.method == method } == events.count { $0.method == method }, "\(method)"
      )
    }
    try checkLines(of: events, log)
    try checkVersions(of: events)
    test.vault.close()
    let verdict = try verdict(test)
    #expect(verdict.hasPrefix("{\"ok\": true, "), "\(verdict)")
  }

  private func checkLines(of events: [Event], _ log: AuditLog) throws {
    var revoked = 0
    for event in events where event.method == "namespace.revoke" {
      guard let line = event.sequence else { continue }
      revoked += 1
      let later = log.lines.filter {
        $0.namespace == event.name && $0.sequence > line && $0.outcome == "ok"
      }
      #expect(later.isEmpty, "\(event.name) after \(line)")
      #expect(log.line(line)?.isRestrictive == true)
    }
    #expect(revoked > 3)
  }

  /// A presentation key of one version is given out only before the deletion that ends it.
  private func checkVersions(of events: [Event]) throws {
    var deletions = 0
    for name in Set(events.map(\.name)) {
      var version: Int64 = 1
      for event in events.filter({ $0.name == name && $0.sequence != nil })
        .sorted(by: { $0.sequence ?? 0 < $1.sequence ?? 0 })
      {
        if event.method == "pass.delete", event.version != nil {
          version += 1
          deletions += 1
        }
        if event.method == "key.public", let given = event.version {
          #expect(given == version, "\(name)")
        }
      }
    }
    #expect(deletions > 20)
  }

  /// What a program that shares no code with the vault says of the log.
  private func verdict(_ test: CommitTestVault) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let command = Process()
    command.executableURL = root.appending(path: ".build/venv/bin/python")
    command.arguments = [
      root.appending(path: "Tests/Interop/verify_audit.py").path, test.directory.path + "/audit",
      "--vault", Hex.encode(test.vault.vaultID.span),
    ]
    let output = Pipe()
    command.standardOutput = output
    try command.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    command.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
