import Foundation
import Testing

/// The state of installations through the real daemon, its files and its end.
@Suite struct BiqliTests {
  private static let event = "open_" + String(repeating: "0", count: 32)
  private static let app = "biq_mapp_0123456789ABCDEFGHJKMNPQRS"

  private func life(_ vault: TestVault, _ arguments: String...) -> Program {
    vault.script(
      "biqli_life.py",
      arguments + ["--data", vault.data, "--state", vault.directory.path + "/lives.json"])
  }

  @Test func `lives go as the model says across kill -9, and no receipt is in any file`() throws {
    let vault = try TestVault()
    for _ in 0..<3 {
      let lives = life(vault, "run")
      try lives.start()
      var begun = 0
      while begun < 60, let line = lives.readLine() { begun += line.hasPrefix("begun") ? 1 : 0 }
      let daemon = try #require(vault.daemon)
      vault.kill()
      #expect(!daemon.errors.contains("receipt-canary"))
      let ended = lives.finish()
      #expect(ended.isGood && begun == 60, "\(ended.errors)")
      // Before anything is written anew.
      let scan = try life(vault, "scan").run()
      #expect(scan.isGood, "\(scan.errors)")
      try vault.start()
    }
    let lives = try life(vault, "run", "--steps", "150").run()
    #expect(lives.isGood, "\(lives.errors)")
    let stopped = try vault.stop()
    #expect(stopped.isGood && !stopped.errors.contains("receipt-canary"))
    let scan = try life(vault, "scan").run()
    #expect(scan.isGood, "\(scan.errors)")
  }

  @Test func `callers at the same moment get the same event`() throws {
    let vault = try TestVault()
    let outcome = try life(vault, "together").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `a reset leaves nothing of the state in any file`() throws {
    let vault = try TestVault()
    let outcome = try vault.script("biqli_remains.py", ["--data", vault.data]).run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  /// A parameter that is wrong, in a call that is right but for it.
  private struct Fault: Sendable {
    let method: String
    let params: [String: any Sendable]
    let field: String
  }

  private static let right: [String: [String: any Sendable]] = [
    "open": ["app_id": app, "marker": "AAECAwQFBgcICQoLDA0ODw=="],
    "begin": [
      "platform": "ios", "probabilistic_allowed": false, "os_version": "19", "sdk_version": "1",
    ],
    "complete": ["event_id": event, "result": answer("none")], "fail": ["event_id": event],
    "drop": ["event_id": event], "capture": [:],
  ]

  private static func answer(_ matchedBy: String, more: String = "") -> String {
    #"{"open":{"id":"o","firstOpen":true,"matchedBy":"\#(matchedBy)","confidence":"none"},"#
      + #""requestId":"q"\#(more)}"#
  }

  private static func long(_ text: String, _ count: Int) -> String {
    text + String(repeating: "x", count: count - text.utf8.count)
  }

  /// A text with another end.
  private static func cut(_ text: String, _ end: String = "") -> String {
    String(text.dropLast()) + end
  }

  private static let faults: [Fault] = {
    let token = "bqmh_" + String(repeating: "t", count: 43)
    let key = "biqli_mobile_pk_" + String(repeating: "k", count: 64)
    let values: [(String, String, [any Sendable])] = [
      (
        "open", "app_id",
        ["", app.lowercased(), cut(app, "I"), app + "0", cut(app, "\n"), 1]
      ),
      ("open", "marker", ["", "AAECAwQFBgcICQoLDA0O", "AAECAwQFBgcICQoLDA0ODw", 7]),
      ("open", "publishable_key", [cut(key, "+"), key + "k", cut(key), ""]),
      (
        "capture", "link",
        [
          "", "http://a.example/", "https:///x", "https://a", "https://u@a.example/",
          "https://a.example/ ", "https://a.example/é", "https://a.example:0/",
          long("https://a.example/", 8_193), "a.example", true,
        ]
      ),
      (
        "capture", "token",
        [token + "t", cut(token), cut(token, "+"), "x" + String(token.dropFirst()), 5]
      ),
      ("begin", "platform", ["IOS", "", 1]),
      ("begin", "probabilistic_allowed", ["true", 1]),
      ("begin", "domain", ["", "example", "a..example", long("a.", 256), "a_b.example"]),
      ("begin", "app_version", ["", long("1", 65), "1\n"]),
      ("begin", "os_version", ["", long("1", 65), "é"]),
      ("begin", "sdk_version", ["", long("1", 65), 1]),
      ("complete", "event_id", ["", "open_" + String(repeating: "g", count: 32), event + "0"]),
      ("complete", "result", ["", "[]", "{", answer("none") + "x", long(answer("none"), 65_537)]),
      ("fail", "event_id", [cut(event, " "), "req_" + String(event.dropFirst(5))]),
      ("fail", "status", [200, 299, 600, "404"]),
      ("fail", "code", ["", "a b", long("c", 65)]),
      ("drop", "event_id", ["", event.uppercased()]),
    ]
    let places = [
      (answer("other"), "open.matchedBy"), (answer("none", more: #","click":{}"#), "click.id"),
      (answer("none", more: #","link":[]"#), "link"), ("{}", "open"),
      (answer("none", more: #","attribution":{"dynamic":{"a":1}}"#), "attribution.dynamic"),
    ]
    return values.flatMap { method, field, wrong in
      wrong.map { Fault(method: method, params: [field: $0], field: field) }
    }
      + places.map { text, place in
        Fault(method: "complete", params: ["result": text], field: "result." + place)
      }
  }()

  @Test func `whatever is wrong is named, and nothing is changed by it`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    _ = try socket.call("namespace.create", ["namespace": "app"])
    func call(_ method: String, _ more: [String: Any] = [:]) throws -> Answer {
      try socket.call(
        "biqli." + method, ["namespace": "app"].merging(more) { $1 })
    }
    func begin() throws -> Answer { try call("begin", Self.right["begin"] ?? [:]) }
    _ = try call("open", Self.right["open"] ?? [:])
    _ = try call("capture", ["link": "https://a.example/"])
    let begun = try begin()
    func state() throws -> [String?] {
      [
        try call("pending").text("event_id"), try call("instance").text("instance_id"),
        try call("window").text("until"), try call("cached").text("result"),
        try begin().text("body"),
      ]
    }
    let before = try state()
    #expect(before.first == begun.text("event_id") && before.last == begun.text("body"))
    for fault in Self.faults {
      let params = try #require(Self.right[fault.method]).merging(fault.params) { $1 }
      let answer = try call(fault.method, params)
      #expect(answer.code == "invalid_params", "\(fault): \(answer.line)")
      #expect(answer.field == fault.field, "\(fault): \(answer.line)")
    }
    #expect(Self.faults.count > 60)
    for (method, params) in Self.right {
      // Without a required parameter, and with one that there is not.
      for name in params.keys where method != "capture" {
        let answer = try call(method, params.filter { $0.key != name })
        #expect(answer.code == "invalid_params" && answer.field == name, "\(answer.line)")
      }
      let answer = try call(method, params.merging(["more": 1]) { $1 })
      #expect(answer.code == "invalid_params" && answer.field == "more", "\(answer.line)")
    }
    #expect(try state() == before)
    // What is as large as it may be is taken.
    let link = Self.long("https://a.example/", 8_192)
    #expect(try call("capture", ["link": link]).flag("replaced") == true)
    let last = try #require(
      try begin().text("event_id"))
    let result = Self.answer("exact_handoff", more: #","a":""#)
    let full = Self.long(Self.cut(result), 65_534) + "\"}"
    let receipt = String(repeating: "r", count: 60_000)
    #expect(try call("complete", ["event_id": last, "result": full]).text("outcome") == "matched")
    #expect(try call("cached").text("result") == full)
    let next = try #require(
      try begin().text("event_id"))
    let large = Self.answer("none", more: #","attributionReceipt":"\#(receipt)""#)
    let told = try call("complete", ["event_id": next, "result": large])
    #expect(told.text("receipt") == receipt)
  }
}
