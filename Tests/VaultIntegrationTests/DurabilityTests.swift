import Foundation
import Glibc
import Testing

/// What was answered is there after whatever end.
@Suite struct DurabilityTests {
  @Test func `keys survive seals and restarts`() throws {
    let vault = try TestVault()
    var points: [String: String] = [:]
    for round in 0..<3 {
      let socket = try vault.connect()
      let name = "round/\(round)"
      points[name] = try socket.call("key.public", ["namespace": name]).text("point")
      #expect(try vault.control("seal").isGood)
      #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
      try expect(points, socket)
      #expect(try vault.stop().isGood)
      try vault.start()
      try expect(points, try vault.connect())
    }
    #expect(points.count == 3)
  }

  private func expect(_ points: [String: String], _ socket: VaultSocket) throws {
    for (name, point) in points {
      let answer = try socket.call("key.public", ["namespace": name])
      #expect(answer.text("point") == point, "\(name): \(answer.line)")
      #expect(answer.flag("created") == false)
    }
  }

  @Test func `a revoked name stays revoked over restarts and its key does not come back`() throws {
    let vault = try TestVault()
    let admin = try vault.connect(.admin)
    _ = try admin.call("key.public", ["namespace": "door"])
    #expect(try admin.call("namespace.revoke", ["namespace": "door"]).flag("revoked") == true)
    vault.kill()
    try vault.start()
    #expect(try vault.connect().call("key.public", ["namespace": "door"]).code == "revoked")
  }

  @Test func `everything acknowledged under load survives kill -9, and the audit chain goes on`()
    throws
  {
    let vault = try TestVault()
    var acknowledged: [String] = []
    for round in 0..<3 {
      let writer = vault.script("acknowledged.py", ["write", "--prefix", "load/\(round)"])
      try writer.start()
      let enough = acknowledged.count + 150
      while acknowledged.count < enough, let line = writer.readLine() { acknowledged.append(line) }
      vault.kill()
      let rest = writer.finish()
      acknowledged += rest.output.split(separator: "\n").map(String.init)
      #expect(rest.isGood, "\(rest.errors)")
      try vault.start()
      let check = try vault.script("acknowledged.py", ["check"]).run(
        input: acknowledged.joined(separator: "\n") + "\n")
      #expect(check.isGood, "\(check.output)\(check.errors)")
    }
    #expect(acknowledged.count >= 450)
    try expectWholeChain(vault)
  }

  /// Stops the daemon and follows its audit log with another implementation.
  private func expectWholeChain(_ vault: TestVault) throws {
    let status = try vault.connect().call("status")
    let sequence = (status.result?["audit"] as? [String: Any])?["seq"] as? Int ?? 0
    let identifier = try #require(status.text("vault_id"))
    let damage = status.result?["damage"] as? [String] ?? []
    #expect(damage.isEmpty, "\(status.line)")
    #expect(try vault.stop().isGood)
    let chain = try Program(
      interop: "verify_audit.py", [vault.data + "/audit", "--vault", identifier]
    ).run()
    #expect(chain.isGood, "\(chain.output)\(chain.errors)")
    let found = try JSONSerialization.jsonObject(with: Data(chain.output.utf8)) as? [String: Any]
    let last = (found?["last"] as? [String: Any])?["seq"] as? Int ?? 0
    #expect(last >= sequence, "\(chain.output) but the status said \(sequence)")
  }

  @Test func `the audit chain starts at the vault and follows each call`() throws {
    let vault = try TestVault()
    let admin = try vault.connect(.admin)
    _ = try admin.call("key.public", ["namespace": "a"])
    _ = try admin.call("key.sign", ["namespace": "a", "message": "", "format": "raw"])
    _ = try admin.call("namespace.revoke", ["namespace": "a"])
    #expect(try vault.control("seal").isGood)
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    try expectWholeChain(vault)
    let directory = vault.data + "/audit"
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let text = try names.sorted().map {
      try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8)
    }.joined()
    for method in ["unseal", "key.public", "key.sign", "namespace.revoke", "seal"] {
      #expect(text.contains("\"method\":\"\(method)\""), "\(method)")
    }
    #expect(text.contains("\"code\":\"key_unusable\""))
    #expect(text.contains("\"restrictive\":true"))
  }
}
