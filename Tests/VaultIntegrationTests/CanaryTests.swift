import Foundation
import Glibc
import Testing

/// Nothing that a caller sends comes to light where it does not belong: canaries in every field of every
/// request, in calls that succeed and in calls that fail in every way there is, are looked for in the
/// audit log, the database, the daemon's messages, and in what others are answered.
@Suite struct CanaryTests {
  /// What `canary_calls.py` tells, as far as it is judged here.
  private struct Told: Decodable {
    let codes: [String: Int]
    let successes: [String: Int]
    let full: [String: [String: Int]]
    let effects: [String]
    let fields: [String]
    let methods: [String]
  }

  private struct Scan: Decodable {
    struct Hit: Decodable {
      let canary: String
      let form: String
      let place: String
    }

    let scanned: Int
    let places: Int
    let seen: [String: Int]
    let hits: [Hit]
  }

  private func scan(_ vault: TestVault, _ told: String, errors: String) throws -> Scan {
    let file = vault.directory.path + "/errors"
    try Data(errors.utf8).write(to: URL(filePath: file))
    let outcome = try Program(
      interop: "canary_scan.py",
      [told, "data=\(vault.data)", "run=\(vault.runtime)", "errors=\(file)"]
    ).run()
    try #require(outcome.isGood, "\(outcome.errors)")
    return try JSONDecoder().decode(Scan.self, from: Data(outcome.output.utf8))
  }

  @Test func `the scanner finds every form of a canary`() throws {
    let outcome = try Program(interop: "test_canary_scan.py").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test(.enabled(if: SmallDisk.canMount && geteuid() == 0, "callers and a full disk take root"))
  func `no canary is found where it does not belong`() throws {
    let place = try TemporaryDirectory()
    let disk = try #require(SmallDisk(at: place.path + "/disk", size: "48m"))
    let vault = try TestVault(
      initialising: ["--key-file", "key", "--no-recovery"], data: disk.path + "/data")
    let configuration = vault.directory.path + "/vaultd.conf"
    try Data("allow-uid = 61001\nallow-uid = 61002\n".utf8)
      .write(to: URL(filePath: configuration))
    try vault.start(["--config", configuration])
    let told = vault.directory.path + "/told"
    let calls = try vault.script(
      "canary_calls.py", ["--key-file", vault.keyFile, "--told", told, "--full", disk.path]
    ).run()
    try #require(calls.isGood, "\(calls.errors)")

    let report = try JSONDecoder().decode(
      Told.self, from: try Data(contentsOf: URL(filePath: told)))
    // Each of these has been met, or the calls were not what they should be.
    for code in [
      "ok", "parse_error", "invalid_request", "method_not_found", "invalid_params", "unsupported",
      "too_large", "forbidden", "rate_limited", "sealed", "wrong_secret", "not_found", "conflict",
      "revoked", "key_unusable", "pass_missing", "protocol_error", "reader_untrusted",
    ] {
      #expect(report.codes[code] != nil, "\(code): \(report.codes)")
    }
    #expect(report.codes["internal"] == nil)
    let reached = Set(report.fields.map { $0.prefix { $0 != " " } })
    #expect(report.fields.count > 80 && reached.count > 20)

    let daemon = try #require(vault.daemon)
    try expectNothing(try scan(vault, told, errors: daemon.errors))
    let ended = try vault.stop()
    #expect(ended.isGood)
    try expectNothing(try scan(vault, told, errors: ended.errors))
    try expectWords(vault)
    try expectLines(vault, report.successes)
    expectFullDisk(report)
  }

  /// On the full disk no method did what needs one, but for what takes away and has a reserve.
  ///
  /// Whether the database or the audit segment runs out of room first is all the same.
  private func expectFullDisk(_ report: Told) {
    let takesAway: Set = [
      "seal", "slot.remove", "audit.archive", "namespace.suspend", "namespace.revoke",
      // It is asked to allow confirmations no longer.
      "namespace.configure", "pass.delete", "noke.delete", "biqli.reset", "biqli.drop",
      "flinkey.block", "flinkey.forget",
    ]
    let others: Set = [
      // The vault is open already; the policy is only looked at.
      "unseal", "policy.set",
      // They need a presentation, and none can be opened.
      "presentation.exchange", "presentation.request",
    ]
    for method in Set(report.effects).subtracting(takesAway).subtracting(others) {
      let codes = report.full[method] ?? [:]
      let refused = codes["storage_full", default: 0] + codes["audit_unavailable", default: 0]
      #expect(refused > 0 && codes["ok"] == nil, "\(method): \(codes)")
    }
  }

  private func expectNothing(_ scan: Scan) throws {
    for hit in scan.hits { Issue.record("\(hit.canary), as \(hit.form), in \(hit.place)") }
    print("canaries: \(scan.scanned >> 10) KiB in \(scan.places) places, seen \(scan.seen)")
    // The positive control: what may be seen is seen, or the scan would prove nothing.
    for kind in [
      "echo", "namespace", "label", "policy", "group", "request", "result", "receipt",
      "portal", "token", "user",
    ] {
      #expect(scan.seen[kind, default: 0] > 0, "\(kind)")
    }
  }

  /// The log still says what was refused and why.
  private func expectWords(_ vault: TestVault) throws {
    let lines = try vault.auditLines()
    let codes = Set(lines.compactMap(\.code))
    for code in ["forbidden", "invalid_params", "not_found", "revoked", "key_unusable"] {
      #expect(codes.contains(code), "\(code): \(codes)")
    }
    #expect(
      lines.contains { $0.method == "seal" && $0.reason == "admin_socket_only" && $0.uid == 0 })
    #expect(lines.contains { $0.method == "calls.refused" && ($0.count ?? 0) > 100 })
  }

  /// No call was answered with a result and has no line: not even on the full disk.
  private func expectLines(_ vault: TestVault, _ successes: [String: Int]) throws {
    let good = try vault.auditLines().filter { $0.outcome == "ok" }
    for method in [
      "slot.add", "slot.list", "policy.get", "policy.explain", "namespace.create", "namespace.get",
      "namespace.list", "key.list", "key.sign", "pass.info", "presentation.sign",
      "audit.tail", "audit.export", "audit.checkpoint", "noke.store",
      "noke.info", "noke.unlock", "noke.report", "noke.promote", "noke.demote",
      "biqli.open",
      "biqli.begin",
      "biqli.complete", "biqli.cached",
    ] {
      let answers = successes[method] ?? 0
      #expect(answers > 0 && good.count { $0.method == method } == answers, "\(method)")
    }
  }
}
