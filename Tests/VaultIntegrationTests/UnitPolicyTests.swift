import Foundation
import Glibc
import Testing

/// Rights that hang on the systemd unit of a caller, from the kernel to the audit line.
@Suite struct UnitPolicyTests {
  private static let canMakeUnits: Bool = {
    let script = Program(
      "/usr/bin/env", ["python3", BuiltProducts.interop("peer_units.py"), "--can"])
    return geteuid() == 0 && (try? script.run().output) == "yes\n"
  }()

  private let unit = "lkit\(getpid()).service"

  /// A vault whose policy knows nobody but root and the unit.
  private func vault() throws -> TestVault {
    let vault = try TestVault()
    let path = vault.directory.path + "/policy"
    let policy = """
      policy 1
      allow user:root
        methods admin
        namespaces **
      allow unit:\(unit)
        methods console
        namespaces units/*

      """
    try policy.write(toFile: path, atomically: false, encoding: .utf8)
    let outcome = try vault.control("policy", "apply", path)
    #expect(outcome.isGood, "\(outcome.errors)")
    return vault
  }

  /// Has user 501 ask for a key from a control group of version 2.
  private func ask(
    _ vault: TestVault, for namespace: String, from group: String
  ) throws -> Answer {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"key.public","params":{"namespace":"\#(namespace)"}}"#
    let outcome = try Program(
      "/usr/bin/env",
      ["python3", BuiltProducts.interop("peer_units.py"), "--call", line, "--uid", "501"]
        + [vault.path(.client), "2=\(group)"]
    ).run()
    #expect(outcome.errors == "")
    return Answer(outcome.output)
  }

  @Test(.enabled(if: canMakeUnits, "needs to make control groups, and Linux 6.5"))
  func `a rule for a unit is for processes in it, and for nobody who builds one like it`() throws {
    let vault = try vault()
    let slice = "/lkit\(getpid()).slice"
    let inside = try ask(vault, for: "units/a", from: "\(slice)/\(unit)")
    #expect(inside.flag("created") == true, "\(inside.line)")
    let worker = try ask(vault, for: "units/a", from: "\(slice)/\(unit)/worker")
    #expect(worker.flag("created") == false, "\(worker.line)")
    let elsewhere = try ask(vault, for: "doors/a", from: "\(slice)/\(unit)")
    #expect(elsewhere.code == "forbidden" && elsewhere.id == "1", "\(elsewhere.line)")
    for group in ["/other.service", "/user@501.service/\(unit)", "", "/lkit/\(unit)"] {
      // Not even the connection is taken, so that the answer belongs to no request.
      let outside = try ask(vault, for: "units/a", from: slice + group)
      #expect(outside.code == "forbidden" && outside.id == nil, "\(group): \(outside.line)")
    }
    #expect(try vault.stop().isGood)
    try expectAuditLines(vault)
  }

  private func expectAuditLines(_ vault: TestVault) throws {
    let directory = vault.data + "/audit"
    let lines = try FileManager.default.contentsOfDirectory(atPath: directory)
      .map { try String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8) }
      .joined().split(separator: "\n").filter { $0.contains(#""uid":501,"#) }
    let allowed = lines.filter { $0.contains(#""method":"key.public""#) && $0.contains(#""ok""#) }
    #expect(allowed.count == 2)
    #expect(allowed.allSatisfy { $0.contains(#""unit":"\#(unit)""#) }, "\(lines)")
    let refused = lines.filter { $0.contains(#""code":"forbidden""#) }
    #expect(refused.contains { $0.contains(#""unit":"user@501.service""#) }, "\(lines)")
  }
}
