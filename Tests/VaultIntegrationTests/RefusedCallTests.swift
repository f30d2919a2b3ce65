import Foundation
import Glibc
import Testing

/// What the audit log has of calls and connections that are refused before they are looked at.
@Suite(.enabled(if: geteuid() == 0, "callers of several users take root"))
struct RefusedCallTests {
  /// A call of a caller of its own, what it is told, and what its line says.
  private struct Refusal {
    var line: String
    var method: String
    var code: String
    var reason: String?
    var kind: String
    var isLast = false
    var isAdmitted = true
  }

  private static let refusals: [Refusal] = [
    Refusal(line: "{", method: "request.refused", code: "parse_error", kind: "malformed"),
    Refusal(line: "7", method: "request.refused", code: "invalid_request", kind: "malformed"),
    Refusal(line: "[]", method: "request.refused", code: "unsupported", kind: "malformed"),
    Refusal(
      line: call("key.sing"), method: "request.refused", code: "method_not_found",
      kind: "malformed"),
    Refusal(
      line: #"{"jsonrpc":"2.0","method":"key.sign"}"#, method: "key.sign", code: "invalid_request",
      kind: "malformed"),
    Refusal(
      line: call("key.sign", #"{"namespace":"a","message":"","format":"hex"}"#),
      method: "key.sign", code: "invalid_params", kind: "malformed"),
    Refusal(
      line: call("seal"), method: "seal", code: "forbidden", reason: "admin_socket_only",
      kind: "forbidden"),
    Refusal(
      line: call("namespace.get", #"{"namespace":"a"}"#), method: "namespace.get",
      code: "forbidden", reason: "no_rule", kind: "forbidden"),
    Refusal(
      line: "-", method: "connection.cut", code: "too_large", kind: "malformed", isLast: true),
    Refusal(
      line: "+", method: "connection.cut", code: "parse_error", kind: "malformed", isLast: true),
    Refusal(
      line: call("health"), method: "connection.refused", code: "forbidden", kind: "forbidden",
      isLast: true, isAdmitted: false),
  ]

  private static let firstUser = 61_001

  private static func call(_ method: String, _ params: String? = nil) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)""# + (params.map { #","params":\#($0)"# } ?? "")
      + "}"
  }

  /// A vault whose client socket the users of the refusals may connect to.
  private func vault(_ more: String = "") throws -> (vault: TestVault, options: [String]) {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let file = vault.directory.path + "/vaultd.conf"
    let users = Self.refusals.indices.filter { Self.refusals[$0].isAdmitted }
      .map { "allow-uid = \(Self.firstUser + $0)" }
    try Data((users + [more, ""]).joined(separator: "\n").utf8).write(to: URL(filePath: file))
    return (vault, ["--config", file])
  }

  /// Sends lines as another user; gives how many answers there were by their code.
  @discardableResult
  private func send(
    _ lines: [String], _ count: Int, as uid: Int, to vault: TestVault,
    _ endpoint: TestVault.Endpoint = .client
  ) throws -> [String: Int] {
    let script = BuiltProducts.interop("refused_calls.py")
    let outcome = try Program(
      BuiltProducts.python, [script, vault.path(endpoint), "\(count)"] + lines, as: UInt32(uid)
    ).run()
    try #require(outcome.isGood, "\(outcome.errors)")
    return try JSONDecoder().decode([String: Int].self, from: Data(outcome.output.utf8))
  }

  @Test func `the first refusal of a caller in a second has a line that says what and why`() throws
  {
    let (vault, options) = try vault()
    try vault.start(options)
    for (index, refusal) in Self.refusals.enumerated() {
      let codes = try send([refusal.line], 1, as: Self.firstUser + index, to: vault)
      #expect(codes == [refusal.code: 1], "\(refusal.line.prefix(80))")
    }
    #expect(try vault.stop().isGood)
    let lines = try vault.auditLines()
    for (index, refusal) in Self.refusals.enumerated() {
      let own = lines.filter { $0.uid == Self.firstUser + index }
      #expect(own.count == 1, "\(refusal.line.prefix(80))")
      let line = try #require(own.first)
      #expect(line.method == refusal.method)
      #expect(line.code == refusal.code && line.reason == refusal.reason)
      #expect(line.outcome == "refused" && line.text("endpoint") == "client")
    }
  }

  @Test func `a flood of refused calls leaves two lines a second, which count every one`() throws {
    let (vault, options) = try vault()
    try vault.start(options)
    let flooding = Self.refusals.indices.filter { !Self.refusals[$0].isLast }
    let start = Date()
    for index in flooding.prefix(3) {
      _ = try send([Self.refusals[index].line], 5_000, as: Self.firstUser + index, to: vault)
    }
    let mixed = flooding.map { Self.refusals[$0].line }
    let codes = try send(mixed, 8_000, as: Self.firstUser, to: vault)
    #expect(codes.values.reduce(0, +) == 8_000 && codes["ok"] == nil)
    let seconds = Int(Date().timeIntervalSince(start)) + 2
    #expect(try vault.stop().isGood)
    let lines = try vault.auditLines().filter { $0.uid >= Self.firstUser }
    #expect(lines.count <= 2 * 4 * seconds)
    let counted = lines.filter { $0.method == "calls.refused" }
    let others = lines.count - counted.count
    #expect(counted.reduce(0) { $0 + ($1.count ?? 0) } + others == 23_000)
    for line in counted {
      #expect(line.outcome == "refused" && line.code == nil && line.text("namespace") == nil)
      let kinds = ["forbidden", "malformed", "rate_limited"].map { line.number($0) ?? 0 }
      #expect(kinds.reduce(0, +) == line.count)
    }
    // What the mixture has of each kind is told.
    #expect(counted.contains { $0.number("forbidden") != nil && $0.number("malformed") != nil })
  }

  @Test func `calls beyond the rate are counted like those that are denied`() throws {
    let (vault, options) = try vault("rate = 1\nburst = 10")
    try vault.start(options)
    let codes = try send([Self.call("health")], 2_000, as: Self.firstUser, to: vault)
    let limited = codes["rate_limited"] ?? 0
    #expect(limited >= 1_900)
    #expect(try vault.stop().isGood)
    let lines = try vault.auditLines().filter { $0.uid == Self.firstUser }
    let own = lines.filter { $0.method == "health" && $0.code == "rate_limited" }
    let counted = lines.filter { $0.method == "calls.refused" }
    #expect(!own.isEmpty && own.count + counted.count == lines.count)
    #expect(counted.reduce(own.count) { $0 + ($1.number("rate_limited") ?? 0) } == limited)
  }

  @Test func `while sealed the calls of a caller have one line, when the vault is open again`()
    throws
  {
    let (vault, options) = try vault()
    try vault.start(unsealed: false, options)
    let lines = [
      Self.call("namespace.get", #"{"namespace":"a"}"#), "{", Self.call("unseal", #"{"slot":1}"#),
      Self.call("seal"),
    ]
    let codes = try send(lines, 4_000, as: Self.firstUser, to: vault)
    #expect(
      codes == [
        "sealed": 1_000, "parse_error": 1_000, "invalid_params": 1_000,
        "forbidden": 1_000,
      ])
    // Nothing of it is in the database yet.
    #expect(try vault.connect(.admin).call("seal").code == "sealed")
    let before = (try vault.connect().call("status").result?["audit"] as? [String: Any])?["seq"]
    #expect(before as? Int == 1)
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    #expect(try vault.stop().isGood)
    let own = try vault.auditLines().filter { $0.uid == Self.firstUser }
    #expect(own.map(\.method) == ["calls.refused"])
    let line = try #require(own.first)
    #expect(line.count == 4_000)
    #expect(line.number("forbidden") == 1_000 && line.number("malformed") == 2_000)
    let root = try vault.auditLines().filter { $0.uid == 0 && $0.method == "calls.refused" }
    #expect(root.count == 1 && root.first?.count == 1)
  }
}
