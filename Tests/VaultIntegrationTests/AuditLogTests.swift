import Foundation
import Testing

/// The audit log of a real daemon, from its lines to their archive, checked by two programs.
@Suite struct AuditLogTests {
  /// A vault with small segments, of which some are closed.
  private static func vault() throws -> TestVault {
    let vault = try TestVault(
      initialising: ["--key-file", "key", "--recovery-file", "recovery"])
    let file = vault.directory.path + "/vaultd.conf"
    try "audit-segment-size = 65536\n".write(toFile: file, atomically: true, encoding: .utf8)
    try vault.start(["--config", file])
    let socket = try vault.connect()
    for name in ["demo/a", "demo/b", "home"] {
      _ = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
    }
    for _ in 0..<80 {
      for name in ["demo/a", "demo/b", "home"] {
        _ = try socket.call("key.sign", ["namespace": name, "message": "", "format": "raw"])
      }
    }
    let names = { try FileManager.default.contentsOfDirectory(atPath: vault.data + "/audit") }
    let isClosed = try eventually { try names().count > 1 }
    #expect(isClosed)
    return vault
  }

  private static func key(_ vault: TestVault) throws -> String {
    let status = try vault.connect().call("status")
    return try #require((status.result?["audit"] as? [String: Any])?["key"] as? String)
  }

  /// What `vaultctl` and the independent verifier say of a log, which must be the same.
  private static func verdict(
    _ path: String, _ key: String, _ checkpoint: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Any] {
    let options = ["--key", key] + (checkpoint.map { ["--checkpoint", $0] } ?? [])
    let own = try Program(
      BuiltProducts.vaultctl, ["audit", "verify", path, "--json"] + options
    ).run()
    let other = try Program(interop: "verify_audit.py", [path] + options).run()
    func object(_ text: String) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
    let (ours, theirs) = (try object(own.output), try object(other.output))
    #expect(own.status == (ours["ok"] as? Bool == true ? 0 : 11), sourceLocation: sourceLocation)
    #expect(other.isGood == (own.status == 0), sourceLocation: sourceLocation)
    for name in ["ok", "lines", "batches", "checkpoints", "first", "last", "pruned", "checkpoint"] {
      #expect(
        ours[name] as? NSObject == theirs[name] as? NSObject, "\(name)",
        sourceLocation: sourceLocation)
    }
    let (fault, foreign) = (ours["fault"] as? [String: Any], theirs["fault"] as? [String: Any])
    for name in ["kind", "file", "line", "seq", "last_seq", "since"] {
      #expect(
        fault?[name] as? NSObject == foreign?[name] as? NSObject, "\(name)",
        sourceLocation: sourceLocation)
    }
    return ours
  }

  @Test func `a log is exported, archived and checked, and goes on`() throws {
    let vault = try Self.vault()
    let key = try Self.key(vault)
    let place = vault.directory.path
    #expect(try vault.control("audit", "checkpoint", "--out", place + "/newest").isGood)
    #expect(try vault.control("audit", "export", "--out", place + "/before/").isGood)
    #expect(try vault.control("audit", "export", "--out", place + "/before.jsonl").isGood)
    for copy in ["/before", "/before.jsonl"] {
      let verdict = try Self.verdict(place + copy, key, place + "/newest")
      #expect(verdict["ok"] as? Bool == true, "\(verdict)")
      #expect(verdict["lines"] as? Int ?? 0 > 240)
    }

    let archived = try vault.control("audit", "archive", "--to", place + "/archive", "--json")
    #expect(archived.isGood, "\(archived.errors)")
    let archive = try Self.verdict(place + "/archive", key)
    #expect(archive["ok"] as? Bool == true && archive["uncovered"] as? Int == 0, "\(archive)")
    #expect(try vault.control("audit", "export", "--out", place + "/after/").isGood)
    let after = try Self.verdict(place + "/after", key)
    let last = (archive["last"] as? [String: Any])?["seq"] as? Int ?? 0
    #expect(after["ok"] as? Bool == true && after["pruned"] as? Int == last, "\(after)")
    #expect((after["first"] as? [String: Any])?["seq"] as? Int == last + 1)

    // Both together are the whole log again.
    let names = try FileManager.default.contentsOfDirectory(atPath: place + "/after")
    for name in names where name.first?.isNumber == true {
      try FileManager.default.copyItem(
        atPath: "\(place)/after/\(name)", toPath: "\(place)/archive/\(name)")
    }
    let whole = try Self.verdict(place + "/archive", key, place + "/newest")
    #expect(whole["ok"] as? Bool == true, "\(whole)")
    #expect((whole["first"] as? [String: Any])?["seq"] as? Int == 1)
  }

  @Test func `a copy that was changed is told by file, line and kind`() throws {
    let vault = try Self.vault()
    let key = try Self.key(vault)
    #expect(try vault.stop().isGood)
    let audit = vault.data + "/audit"
    let names = try FileManager.default.contentsOfDirectory(atPath: audit).sorted()
    #expect(try Self.verdict(audit, key)["ok"] as? Bool == true)
    let name = names[0]
    let whole = try String(contentsOfFile: "\(audit)/\(name)", encoding: .utf8)
    let lines = whole.split(separator: "\n").map { String($0) + "\n" }
    func expect(
      _ kind: String, at line: Int, sourceLocation: SourceLocation = #_sourceLocation,
      _ change: (inout [String]) -> Void
    ) throws {
      var changed = lines
      change(&changed)
      try changed.joined().write(
        toFile: "\(audit)/\(name)", atomically: false, encoding: .utf8)
      let fault = try #require(try Self.verdict(audit, key)["fault"] as? [String: Any])
      #expect(fault["kind"] as? String == kind, "\(fault)", sourceLocation: sourceLocation)
      #expect(fault["line"] as? Int == line, "\(fault)", sourceLocation: sourceLocation)
      #expect(fault["file"] as? String == name, sourceLocation: sourceLocation)
    }
    let place = try #require(lines.indices.first { $0 > 20 && lines[$0].hasPrefix("{\"seq\":") })
    try expect("edited", at: place + 1) {
      $0[place] = $0[place].replacing("key.sign", with: "key.list")
    }
    try expect("removed", at: place + 1) { $0.remove(at: place) }
    try expect("inserted", at: place + 2) { $0.insert($0[place], at: place) }
    try expect("reordered", at: place + 1) { $0.swapAt(place, place + 1) }
    try expect("spliced", at: place + 1) { changed in
      changed[place] =
        String(changed[place].dropLast(67)) + String(repeating: "0", count: 64) + "\"}\n"
    }
    try whole.write(toFile: "\(audit)/\(name)", atomically: false, encoding: .utf8)
    let newest = "\(audit)/\(names[names.count - 1])"
    let text = try String(contentsOfFile: newest, encoding: .utf8)
    try String(text.dropLast(9)).write(toFile: newest, atomically: false, encoding: .utf8)
    let fault = try Self.verdict(audit, key)["fault"] as? [String: Any]
    #expect(fault?["kind"] as? String == "tail_lost", "\(String(describing: fault))")
  }

  @Test func `lines are shown, filtered and followed`() throws {
    let vault = try Self.vault()
    let shown = try vault.control(
      "audit", "tail", "-n", "300", "--namespace", "demo", "--method", "key.*", "--json")
    #expect(shown.isGood && shown.output.split(separator: "\n").count == 162)
    #expect(!shown.output.contains("\"home\"") && shown.output.contains("\"demo/b\""))
    let socket = try vault.connect()
    _ = try socket.call("namespace.get", ["namespace": "nowhere/1"])
    let follower = Program(
      BuiltProducts.vaultctl,
      ["audit", "tail", "-n", "1", "--follow", "--code", "not_found", "--runtime", vault.runtime])
    try follower.start()
    #expect(follower.readLine()?.contains("namespace.get  nowhere/1  not_found") == true)
    _ = try socket.call("namespace.get", ["namespace": "demo/a"])
    _ = try socket.call("namespace.get", ["namespace": "nowhere/2"])
    #expect(follower.readLine()?.contains("namespace.get  nowhere/2  not_found") == true)
    // The tests' threads block the other signals, and their children inherit that.
    follower.signal(SIGKILL)
    follower.finish()
  }
}
