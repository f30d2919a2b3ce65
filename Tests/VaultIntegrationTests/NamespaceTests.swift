import Foundation
import Testing

/// Suspension and the revocation of many, through the real daemon and `vaultctl`.
@Suite struct NamespaceTests {
  private let vault: TestVault

  init() throws {
    vault = try TestVault()
  }

  private func sign(_ name: String) throws -> String? {
    let digest = Data(repeating: 1, count: 32).base64EncodedString()
    return try vault.connect()
      .call("key.sign", ["namespace": name, "digest": digest, "format": "raw"]).code
  }

  private func run(_ words: String) throws -> Outcome {
    try Program(
      BuiltProducts.vaultctl,
      words.split(separator: " ").map(String.init) + ["--runtime", vault.runtime]
    ).run()
  }

  /// The audit lines of a method, as other programs read them.
  private func lines(_ method: String) throws -> [[String: Any]] {
    let directory = vault.data + "/audit/"
    return try FileManager.default.contentsOfDirectory(atPath: directory).sorted().flatMap { name in
      try String(contentsOfFile: directory + name, encoding: .utf8).split(separator: "\n")
        .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    }.filter { $0["method"] as? String == method }
  }

  @Test func `a suspended namespace signs nothing, and a killed daemon does not forget it`() throws
  {
    try vault.connect().call("key.public", ["namespace": "demo/signer", "purpose": "signing"])
    #expect(try sign("demo/signer") == nil)
    let suspended = try run("namespace suspend demo/signer")
    #expect(suspended.isGood && suspended.output == "demo/signer is suspended\n")
    for _ in 0..<2 {
      #expect(try sign("demo/signer") == "key_unusable")
      #expect(try run("namespace get demo/signer").output.contains("suspended\n"))
      #expect(try run("namespace list").output.contains("demo/signer  suspended"))
      vault.kill()
      try vault.start()
    }
    #expect(try run("namespace resume demo/signer").output == "demo/signer is in use again\n")
    #expect(try sign("demo/signer") == nil)
    #expect(try run("namespace suspend demo/nowhere").status == 12)
    #expect(try vault.connect().call("namespace.suspend", ["namespace": "a"]).code == "forbidden")
  }

  @Test func `a prefix ends as a whole, and each of its namespaces has a line`() throws {
    let names = ["demo", "demo/a", "demo/b/c"]
    let socket = try vault.connect()
    for name in names + ["demo-x", "other"] {
      try socket.call("key.public", ["namespace": name, "purpose": "signing"])
    }
    let revoked = try run("namespace revoke --prefix demo")
    #expect(revoked.isGood && revoked.output == "3 revoked at and below demo\n")
    vault.kill()
    try vault.start()
    for name in names { #expect(try sign(name) == "revoked") }
    for name in ["demo-x", "other"] { #expect(try sign(name) == nil) }
    #expect(try run("namespace revoke --prefix demo").status == 12)
    try vault.stop()
    let found = try lines("namespace.revoke").filter { $0["outcome"] as? String == "ok" }
    #expect(found.compactMap { $0["namespace"] as? String } == names + ["demo"])
    #expect(found.map { $0["restrictive"] as? Bool ?? false } == [true, true, true, false])
    #expect(found.last?["count"] as? Int == 3)
  }
}
