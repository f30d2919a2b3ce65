import Foundation
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// A reader of the formats that shares no code with the vault (`Tests/Interop/ledger_oracle.py`).
@Suite struct LedgerOracleTests {
  private func oracle(_ vault: LedgerTestVault, _ secret: [UInt8]) throws -> String? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let process = Process()
    // The environment that tools/setup makes, with the library the script needs.
    process.executableURL = root.appending(path: ".build/venv/bin/python")
    process.arguments = [
      root.appending(path: "Tests/Interop/ledger_oracle.py").path, vault.path + "/vault.db",
      secret.map { String(format: "%02x", $0) }.joined(),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `an independent reader checks every code and opens every record`() throws {
    let vault = try LedgerTestVault()
    do {
      let open = try vault.open()
      try open.commit { writer in
        for name in ["a", "b/c", "gone"] { try writer.create(name) }
        try writer.put("old", .key, "presentation/1", in: "a")
        try writer.put("p", .pass, "", in: "a")
        try writer.put("x", .noke, "lock-9", in: "gone")
      }
      try open.commit { writer in
        try writer.put("new", .key, "presentation/1", in: "a")
        var versions = KeyVersions()
        versions.presentation = 1
        versions.readerCA = 4
        _ = try writer.setKeyVersions(versions, try NamespaceName("b/c"), at: 7)
        _ = try writer.bury(try NamespaceName("gone"), at: 8)
        let slot = try open.ledger.prepareSlot(
          try LedgerTestVault.secret(LedgerTestVault.second), label: "more", created: 1)
        _ = try writer.addSlot(slot)
        try writer.removeSlot(2)
        _ = try writer.setPolicy(Array("group:staff".utf8))
      }
      #expect(try open.writer.truncateLog())
    }
    for secret in [LedgerTestVault.first, LedgerTestVault.second] {
      let text = try #require(try oracle(vault, secret))
      let found = try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(found["seq"] as? Int == 2)
      #expect(found["policy"] as? String == "group:staff")
      #expect((found["slots"] as? [Bool])?.count == 2)
      let namespaces = try #require(found["namespaces"] as? [String: [String: Any]])
      #expect(namespaces["a"]?["state"] as? Int == 1)
      #expect(
        namespaces["a"]?["records"] as? [String: String]
          == ["1/presentation/1/2": "new", "2//1": "p"])
      #expect(namespaces["b/c"]?["records"] as? [String: String] == [:])
      #expect(namespaces["gone"]?["state"] as? Int == 3)
      #expect(namespaces["gone"]?["generation"] as? Int == 2)
    }
    // The reader is no rubber stamp.
    #expect(try oracle(vault, [UInt8](repeating: 1, count: 32)) == nil)
    try vault.tamper("UPDATE namespace SET changed = changed + 1 WHERE name = 'a'")
    #expect(try oracle(vault, LedgerTestVault.first) == nil)
  }
}
