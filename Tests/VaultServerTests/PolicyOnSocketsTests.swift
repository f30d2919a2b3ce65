import AccessPolicy
import Foundation
import Testing
import VaultServer

/// The policy, seen from the sockets.
@Suite struct PolicyOnSocketsTests {
  private let server: VaultOnSockets
  private let admin: TestClient
  private let client: TestClient

  init() throws {
    server = try VaultOnSockets()
    admin = try TestClient(server.path(.admin))
    client = try TestClient(server.path(.client))
  }

  private func result(
    _ method: String, _ params: String = "{}", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String: Any] {
    let answer = try #require(
      try admin.object(method, params), sourceLocation: sourceLocation)
    return try #require(
      answer["result"] as? [String: Any], "\(answer)", sourceLocation: sourceLocation)
  }

  private func error(
    _ client: TestClient, _ method: String, _ params: String = "{}"
  ) throws -> [String: Any] {
    let answer = try #require(try client.object(method, params))
    let error = try #require(answer["error"] as? [String: Any], "\(answer)")
    return try #require(error["data"] as? [String: Any])
  }

  @Test func `is shown, set and explained on the admin socket, and nowhere else`() throws {
    let first = try result("policy.get")
    #expect(first["revision"] as? Int == 1)
    #expect((first["policy"] as? String)?.hasPrefix("policy 1\n") == true)
    let params = VaultOnSockets.policy("admin", more: "allow user:no-such-user-here")
    let set = try result("policy.set", params)
    #expect(set["revision"] as? Int == 2 && set["restrictive"] as? Bool == false)
    let nobody = try #require((set["unresolved"] as? [[String: Any]])?.first)
    #expect(nobody["subject"] as? String == "user:no-such-user-here" && nobody["line"] as? Int == 5)
    #expect(try result("policy.get")["revision"] as? Int == 2)
    for method in ["policy.get", "policy.set", "policy.explain"] {
      let given = ["policy.set": params, "policy.explain": #"{"seq":1}"#][method] ?? "{}"
      #expect(try error(client, method, given)["code"] as? String == "forbidden")
    }
  }

  @Test func `a dry run changes nothing`() throws {
    let params = VaultOnSockets.policy("policy.*").dropLast() + #","dry_run":true}"#
    let tried = try result("policy.set", String(params))
    #expect(tried["revision"] as? Int == 1 && tried["seq"] == nil)
    #expect(tried["restrictive"] as? Bool == true)
    #expect(try result("policy.get")["revision"] as? Int == 1)
  }

  @Test func `a fault is told by its line and word`() throws {
    let answer = try admin.object("policy.set", VaultOnSockets.policy("key.sing"))
    let error = try #require(answer?["error"] as? [String: Any])
    #expect((error["message"] as? String)?.contains("line 3: \"key.sing\"") == true)
    #expect((error["data"] as? [String: Any])?["field"] as? String == "policy")
  }

  @Test(arguments: [("\\r", "a carriage return: "), ("\\u0007", "U+0007: ")])
  func `so is a character that does not show`(_ escape: String, _ words: String) throws {
    let text = "policy 1\\nallow user:0\(escape)\\n"
    let answer = try admin.object("policy.set", "{\"policy\":\"\(text)\"}")
    let error = try #require(answer?["error"] as? [String: Any])
    #expect((error["message"] as? String)?.contains("line 2: \"user:0\": \(words)") == true)
  }

  @Test func `lines are asked for by methods that there are`() throws {
    for method in ["seal", "key.*", "vault.start", "policy.set.dry_run", "pol*", "*"] {
      _ = try result("audit.tail", "{\"method\":\"\(method)\"}")
    }
    for method in ["nosuch", "KEY.*", "k*y", "key.", "seal**", "key.sign.*"] {
      let answer = try admin.object("audit.tail", "{\"method\":\"\(method)\"}")
      let error = try #require(answer?["error"] as? [String: Any], "\(method)")
      #expect((error["data"] as? [String: Any])?["field"] as? String == "method")
    }
  }

  @Test func `whoever lost a right is told so at once, on connections that were open before`()
    throws
  {
    let key = #"{"namespace":"door","purpose":"signing"}"#
    #expect(try client.object("key.public", key)?["result"] != nil)
    _ = try result("policy.set", VaultOnSockets.policy("policy.*"))
    #expect(try error(client, "key.public", key)["code"] as? String == "forbidden")
    #expect(try error(admin, "seal")["code"] as? String == "forbidden")
    _ = try result("policy.set", VaultOnSockets.policy("admin"))
    #expect(try client.object("key.public", key)?["result"] != nil)
  }

  @Test func `a client beyond its rate is told when to come again`() throws {
    _ = try result(
      "policy.set",
      VaultOnSockets.policy(
        "policy.*", more: "allow user:\(geteuid())", methods: "key.*", limit: "rate 1 burst 2"))
    let key = #"{"namespace":"door","purpose":"signing"}"#
    // All at once, as each answer waits for its line on the device.
    let line = #"{"jsonrpc":"2.0","id":1,"method":"key.public","params":\#(key)}"# + "\n"
    client.send(String(repeating: line, count: 20))
    var refused: [String: Any] = [:]
    for _ in 0..<20 {
      let answer = try #require(client.line())
      let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
      let error = object?["error"] as? [String: Any]
      if let data = error?["data"] as? [String: Any] { refused = data }
    }
    #expect(refused["code"] as? String == "rate_limited" && refused["retry"] as? Bool == true)
    #expect((1...1_001).contains(refused["retry_after_ms"] as? Int ?? 0))
    // Others, and other methods of the same client, have their own.
    #expect(try result("policy.get")["revision"] as? Int == 2)
  }

  @Test func `explains a call that somebody might make`() throws {
    _ = try result(
      "policy.set",
      VaultOnSockets.policy(
        "admin", more: "allow user:4711 unit:gate.service", methods: "gateway",
        namespaces: "home/**"))
    func explain(_ call: String) throws -> [String: Any] {
      try result("policy.explain", #"{"call":\#(call)}"#)
    }
    let open = #""method":"presentation.open","user":"4711","socket":"client""#
    let allowed = try explain("{\(open),\"namespace\":\"home/door\"}")
    #expect(allowed["allowed"] as? Bool == true && allowed["reason"] == nil)
    #expect(allowed["words"] as? String == "the rule at line 5 allows it")
    let rules = try #require(allowed["rules"] as? [[String: Any]])
    #expect(rules.map { $0["line"] as? Int } == [2, 5])
    #expect(rules.map { $0["lacks"] as? [String] } == [["subject"], []])
    let denied = try explain("{\(open),\"namespace\":\"door\"}")
    #expect(denied["allowed"] as? Bool == false)
    #expect(denied["reason"] as? String == "namespace_not_granted")
    let unit = #"{"method":"key.list","user":"4712","unit":"gate.service","namespace":"home/a"}"#
    #expect(try explain(unit)["reason"] as? String == "method_not_granted")
    let socket = #"{"method":"seal","user":"root","socket":"client"}"#
    #expect(try explain(socket)["reason"] as? String == "admin_socket_only")
    #expect(try explain(#"{"method":"unseal","user":"root"}"#)["allowed"] as? Bool == true)
    #expect(try explain(#"{"method":"unseal","user":"4711"}"#)["allowed"] as? Bool == false)
    #expect(try explain(#"{"method":"health","user":"4711"}"#)["allowed"] as? Bool == true)
    for (call, field) in [
      (#"{"method":"no.such","user":"1"}"#, "call.method"),
      (#"{"method":"key.sign","user":"1"}"#, "call.namespace"),
      (#"{"method":"seal","user":"1","namespace":"door"}"#, "call.namespace"),
      (#"{"method":"seal","user":"no-such-user-here"}"#, "call.user"),
      (#"{"method":"seal","user":"007"}"#, "call.user"),
      (#"{"method":"hello","user":"65534"}"#, "call.user"),
      (#"{"method":"hello","user":"4294967295"}"#, "call.user"),
      (#"{"method":"seal","user":"1","groups":["0","no-such-group-here"]}"#, "call.groups[1]"),
    ] {
      #expect(
        try error(admin, "policy.explain", #"{"call":\#(call)}"#)["field"] as? String == field)
    }
  }

  @Test func `explains the call of an audit line`() throws {
    #expect(try error(client, "seal")["code"] as? String == "forbidden")
    let made = try #require(
      try client.object("namespace.create", #"{"namespace":"door"}"#)?["result"] as? [String: Any])
    let seq = try #require(made["seq"] as? Int)
    let fine = try result("policy.explain", #"{"seq":\#(seq)}"#)
    #expect(fine["method"] as? String == "namespace.create" && fine["allowed"] as? Bool == true)
    #expect(fine["namespace"] as? String == "door" && fine["socket"] as? String == "client")
    let denied = try result("policy.explain", #"{"seq":\#(seq - 1)}"#)
    #expect(denied["method"] as? String == "seal" && denied["allowed"] as? Bool == false)
    let recorded = try #require(denied["recorded"] as? [String: Any])
    #expect(recorded["code"] as? String == "forbidden" && recorded["seq"] as? Int == seq - 1)
    #expect(recorded["reason"] as? String == "admin_socket_only")
    #expect(
      try error(admin, "policy.explain", #"{"seq":999999}"#)["code"] as? String == "not_found")
  }
}
