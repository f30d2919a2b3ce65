import Foundation
import Glibc
import Testing

/// What is in the memory of the live daemon: secrets in use in guarded memory alone, and after
/// `seal` none at all, in any form, on any stack, heap or buffer.
@Suite struct MemoryTests {
  /// What the workload says at its end.
  private struct Workload: Decodable {
    let calls: Int
    let namespaces: [String]
    let typed: [String: String]
    let ended: [String: String]
    let open: [String: String]
  }

  private struct Scan: Decodable {
    struct Hit: Decodable {
      let name: String
      let form: String
      let address: String
      let mapping: String
      let flags: [String]

      /// Locked, and left out of core dumps.
      var isGuarded: Bool { flags.contains("lo") && flags.contains("dd") }
      var words: String { "\(name) as \(form) at \(address) in \(mapping) \(flags)" }
    }

    let scanned: Int
    let hits: [Hit]

    func hits(of names: some Sequence<String>) -> [Hit] {
      let wanted = Set(names)
      return hits.filter { wanted.contains($0.name) }
    }
  }

  private func scan(_ process: Int32, for secrets: [String: String]) throws -> Scan {
    let input = String(decoding: try JSONEncoder().encode(secrets), as: UTF8.self)
    let outcome = try Program(interop: "memory_scan.py", ["\(process)"]).run(input: input)
    try #require(outcome.isGood, "\(outcome.errors)")
    let scan = try JSONDecoder().decode(Scan.self, from: Data(outcome.output.utf8))
    print("memory: \(scan.scanned >> 20) MiB, \(secrets.count) secrets, \(scan.hits.count) hits")
    return scan
  }

  @Test(.enabled(if: geteuid() == 0, "reading another process's memory takes root"))
  func `the scanner finds every form of a secret`() throws {
    let outcome = try Program(interop: "test_memory_scan.py").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test(.enabled(if: geteuid() == 0, "reading another process's memory takes root"))
  func `after ten thousand mixed calls and a seal no secret is left in memory`() throws {
    let vault = try TestVault()
    let process = try #require(vault.daemon).processID
    let calls = vault.script("mixed_calls.py", ["--key-file", vault.keyFile])
    try calls.start()
    let line = try #require(calls.readLine(), "\(calls.errors)")
    let workload = try JSONDecoder().decode(Workload.self, from: Data(line.utf8))
    #expect(workload.calls >= 10_000)

    let held = try KnownSecrets(of: vault, namespaces: workload.namespaces)
    let unused = held.unused.merging(workload.typed) { $1 }.merging(workload.ended) { $1 }
    let used = held.used.merging(workload.open) { $1 }
    let all = unused.merging(used) { $1 }

    let during = try scan(process, for: all)
    // The positive control: what is in use is found, or the scan would prove nothing.
    for name in held.inUse {
      #expect(!during.hits(of: [name]).isEmpty, "\(name) is in use but was not found")
    }
    #expect(!during.hits(of: workload.open.keys).isEmpty, "no open presentation was found")
    for hit in during.hits where !hit.isGuarded { Issue.record("unguarded: \(hit.words)") }
    for hit in during.hits(of: unused.keys) { Issue.record("left behind: \(hit.words)") }

    #expect(try vault.control("seal").isGood)
    let after = try scan(process, for: all)
    for hit in after.hits { Issue.record("after the seal: \(hit.words)") }
    // Once more by the other key, without a presentation in between.
    let typed = try vault.control("unseal", "--key-file", vault.recoveryFile)
    #expect(typed.isGood)
    #expect(try vault.connect(.admin).call("seal").result != nil)
    let last = try scan(process, for: all)
    for hit in last.hits { Issue.record("after the second seal: \(hit.words)") }
    calls.finish()
  }
}
