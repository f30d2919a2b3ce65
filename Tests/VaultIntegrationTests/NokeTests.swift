import Foundation
import Testing

/// Nokē locks and the real daemon, its files and its end.
@Suite struct NokeTests {
  private static let session = "0000040ba7b0d91f7f45ad25698a18375c7e4f16"
  private static let mac = "CB:BC:87:3B:CB:D7"

  private func locks(_ vault: TestVault, _ arguments: String...) -> Program {
    vault.script("noke_lock.py", arguments + ["--state", vault.directory.path + "/locks.json"])
  }

  @Test func `a lock undoes the packet of each vector, and wrong inputs are named`() throws {
    let vault = try TestVault()
    let outcome = try locks(vault, "vectors").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `locks open with what the vault has, across kill -9`() throws {
    let vault = try TestVault()
    for _ in 0..<3 {
      let run = locks(vault, "run")
      try run.start()
      var steps = 0
      while steps < 80, let line = run.readLine() { steps += line.hasPrefix("step") ? 1 : 0 }
      vault.kill()
      let ended = run.finish()
      #expect(ended.isGood && steps == 80, "\(ended.errors)")
      try vault.start()
    }
    let run = try locks(vault, "run", "--steps", "200").run()
    #expect(run.isGood, "\(run.errors)")
  }

  /// A parameter that is wrong, in a call that is right but for it.
  private struct Fault: Sendable {
    let method: String
    let params: [String: any Sendable]
    let field: String
  }

  private static let right: [String: [String: any Sendable]] = [
    "store": [
      "mac": mac, "offline_key": String(repeating: "5a", count: 16),
      "unlock_command": String(repeating: "A5", count: 20), "environment": "production",
    ],
    "unlock": ["mac": mac, "session": session],
    "report": ["mac": mac, "session": session, "response": String(repeating: "51", count: 20)],
    "promote": ["mac": mac], "demote": ["mac": mac], "delete": ["mac": mac],
  ]

  private static func digits(_ count: Int) -> [any Sendable] {
    let text = String(repeating: "a", count: count - 1)
    return ["", text, text + "aa", text + "g", text + " ", "0x" + text.dropLast(), text + "é", 5]
  }

  private static let faults: [Fault] = {
    let day = "2026-01-15T08:30:00Z"
    func windows(_ texts: [String]) -> [String: any Sendable] { ["windows": texts] }
    var values: [(String, String, [any Sendable])] = [
      ("store", "offline_key", digits(32)), ("store", "unlock_command", digits(40)),
      ("store", "environment", ["", "Sandbox", 1]),
      ("store", "not_before", ["", "2026-01-15", "2026-02-30T08:30:00Z", 5]),
      ("store", "not_after", ["", "2026-01-15T08:30:00+00:00", 5]),
      ("unlock", "session", digits(40)), ("report", "session", digits(40)),
      ("report", "response", digits(40)), ("unlock", "embed_time", ["true", 1]),
      ("unlock", "generation", ["", "Active", "1", 1]),
      ("unlock", "request_id", ["", String(repeating: "r", count: 65), "é", "a\n", 1]),
    ]
    for method in right.keys.sorted() {
      values.append(
        (
          method, "mac",
          [
            "", "CBBC873BCBD", "CBBC873BCBD70", "CB-BC-87-3B-CB-D7", "CB:BC:87:3B:CB:DG",
            "CB:BC:87:3B:CBD7:", 5,
          ]
        ))
    }
    let schedules: [([String: any Sendable], String)] = [
      ([:], "windows"), (windows([]), "windows"),
      (windows(["mon 08:00-17:00", "mon 08:00-17:00"]), "windows"),
      (windows(["mon 08:00-17:00", "fri,mon 08:00-17:00"]), "windows[1]"),
      (windows(["mon 08:00-08:00"]), "windows[0]"), (windows(["mon 24:00-25:00"]), "windows[0]"),
      (windows(["mon"]), "windows[0]"),
      (windows((0..<33).map { "mon 00:\(10 + $0)-12:00" }), "windows"),
      (["windows": ["mon 08:00-17:00"], "utc_offset_minutes": 841], "utc_offset_minutes"),
      (["windows": ["mon 08:00-17:00"], "more": 1], "more"),
    ]
    return values.flatMap { method, field, wrong in
      wrong.map { Fault(method: method, params: [field: $0], field: field) }
    }
      + schedules.map { schedule, place in
        Fault(method: "store", params: ["schedule": schedule], field: "schedule." + place)
      }
      + [
        Fault(
          method: "store", params: ["not_before": day, "not_after": "2026-01-15T08:29:59Z"],
          field: "not_after")
      ]
  }()

  @Test func `whatever is wrong is named, and nothing is changed by it`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    _ = try socket.call("namespace.create", ["namespace": "gate"])
    func call(_ method: String, _ more: [String: Any] = [:]) throws -> Answer {
      try socket.call("noke." + method, ["namespace": "gate"].merging(more) { $1 })
    }
    _ = try call("store", Self.right["store"] ?? [:])
    let made = try call("unlock", ["mac": Self.mac, "session": Self.session, "request_id": "r"])
    func state() throws -> [String?] {
      let info = try call("info", ["mac": Self.mac])
      let pairs = try JSONSerialization.data(
        withJSONObject: #require(info.result), options: [.sortedKeys])
      let again = try call(
        "unlock", ["mac": Self.mac, "session": Self.session, "request_id": "r"])
      return [String(decoding: pairs, as: UTF8.self), again.text("packet")]
    }
    let before = try state()
    #expect(before.last == made.text("packet") && made.flag("repeated") == false)
    for fault in Self.faults {
      let params = try #require(Self.right[fault.method]).merging(fault.params) { $1 }
      let answer = try call(fault.method, params)
      #expect(answer.code == "invalid_params", "\(fault): \(answer.line)")
      #expect(answer.field == fault.field, "\(fault): \(answer.line)")
    }
    #expect(Self.faults.count > 100)
    for (method, params) in Self.right {
      for name in params.keys {
        let answer = try call(method, params.filter { $0.key != name })
        #expect(answer.code == "invalid_params" && answer.field == name, "\(answer.line)")
      }
      let answer = try call(method, params.merging(["command": "00"]) { $1 })
      #expect(answer.code == "invalid_params" && answer.field == "command", "\(answer.line)")
    }
    #expect(try state() == before)
  }

  @Test func `a gateway opens, a console stores, and neither does the other's work`() throws {
    let vault = try TestVault()
    let socket = try vault.connect(.admin)
    _ = try socket.call("namespace.create", ["namespace": "gate"])
    let policy = try #require(try socket.call("policy.get").text("policy"))
    for (preset, methods) in [
      ("gateway", ["info", "unlock", "report"]),
      ("console", ["store", "info", "promote", "demote", "delete"]),
    ] {
      let rule = "\nallow user:65533\n  methods \(preset)\n  namespaces **\n"
      _ = try socket.call("policy.set", ["policy": policy + rule])
      for method in ["store", "info", "unlock", "report", "promote", "demote", "delete"] {
        let answer = try socket.call(
          "policy.explain",
          ["call": ["method": "noke." + method, "user": "65533", "namespace": "gate"]])
        let isAllowed = answer.flag("allowed")
        #expect(isAllowed == methods.contains(method), "\(preset) \(method): \(answer.line)")
      }
    }
  }
}
