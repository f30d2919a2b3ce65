import Foundation
import Testing

/// Lines through the real daemon: each bad one has its typed error, and none harms its neighbours.
@Suite struct WireTests {
  @Test func `a half-closed client gets every answer`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    for number in 0..<200 {
      try socket.post("key.public", ["namespace": "half/\(number % 20)"], id: "q\(number)")
    }
    socket.endInput()
    let answers = socket.answersToEnd()
    #expect(Set(answers.compactMap(\.id)) == Set((0..<200).map { "q\($0)" }))
    #expect(answers.allSatisfy { $0.result != nil })
  }

  @Test func `pipelined calls are matched by their ids, whatever order they are answered in`()
    throws
  {
    let vault = try TestVault()
    let socket = try vault.connect()
    _ = try socket.call("key.public", ["namespace": "a", "purpose": "signing"])
    var expected: Set<String> = []
    let digest = Data(repeating: 1, count: 32).base64EncodedString()
    // Signatures wait for their commit; health does not, and overtakes them.
    for number in 0..<100 {
      try socket.post(
        "key.sign", ["namespace": "a", "digest": digest, "format": "raw"], id: "sign-\(number)")
      try socket.post("health", id: number)
      expected.formUnion(["sign-\(number)", "\(number)"])
    }
    var order: [String] = []
    for _ in 0..<200 {
      let answer = try socket.answer()
      let id = try #require(answer.id, "\(answer.line)")
      #expect((answer.text("signature") != nil) == id.hasPrefix("sign-"), "\(answer.line)")
      order.append(id)
    }
    #expect(Set(order) == expected)
    let firstSignature = order.firstIndex { $0.hasPrefix("sign-") } ?? 0
    #expect(firstSignature > 0, "nothing overtook: the answers did not wait for a commit")
  }

  @Test func `an oversize line is refused and ends its connection, but no other`() throws {
    let vault = try TestVault()
    let (bad, good) = (try vault.connect(), try vault.connect())
    bad.send([UInt8](repeating: UInt8(ascii: "x"), count: 300 << 10))
    let refusal = try bad.answer()
    #expect(refusal.code == "too_large")
    #expect(refusal.number == -32018)
    #expect(bad.line() == nil)
    #expect(try good.call("health").flag("ok") == true)
    // A line that just fits is read to its end.
    let filler = String(repeating: " ", count: (256 << 10) - 64)
    good.send(#"{"jsonrpc":"2.0","id":9,"method":"health"\#(filler)}"# + "\n")
    #expect(try good.answer().flag("ok") == true)
  }

  struct BadLine: Sendable, CustomTestStringConvertible {
    let line: String
    let code: String
    let number: Int
    let id: String?

    init(_ line: String, _ code: String, _ number: Int, id: String? = nil) {
      (self.line, self.code, self.number, self.id) = (line, code, number, id)
    }

    var testDescription: String { String(line.prefix(72)) }

    static let head = #"{"jsonrpc":"2.0","id":"i","method":"#
  }

  static let badLines: [BadLine] = [
    BadLine("{", "parse_error", -32700),
    BadLine("not JSON", "parse_error", -32700),
    BadLine("null", "invalid_request", -32600),
    BadLine("\"health\"", "invalid_request", -32600),
    BadLine("null null", "parse_error", -32700),
    BadLine(#"{"jsonrpc":"2.0","id":"i","method":"health"} x"#, "parse_error", -32700, id: "i"),
    BadLine(#"{"jsonrpc":"2.0","id":"\ud800","method":"health"}"#, "parse_error", -32700),
    BadLine(
      "{\"jsonrpc\":\"2.0\",\"id\":\"a\u{0}b\",\"method\":\"health\"}", "parse_error", -32700),
    BadLine(
      BadLine.head + #""health","params":\#(String(repeating: "[", count: 40))}"#, "parse_error",
      -32700, id: "i"),
    BadLine("[]", "unsupported", -32019),
    BadLine("[" + BadLine.head + #""health"}]"#, "unsupported", -32019),
    BadLine(#"{"jsonrpc":"2.0","method":"health"}"#, "invalid_request", -32600),
    BadLine(#"{"jsonrpc":"2.0","id":null,"method":"health"}"#, "invalid_request", -32600),
    BadLine(#"{"jsonrpc":"2.0","id":1.5,"method":"health"}"#, "invalid_request", -32600),
    BadLine(#"{"jsonrpc":"2.0","id":"","method":"health"}"#, "invalid_request", -32600),
    BadLine(#"{"jsonrpc":"1.0","id":"i","method":"health"}"#, "invalid_request", -32600, id: "i"),
    BadLine(#"{"jsonrpc":"2.0","id":"i"}"#, "invalid_request", -32600, id: "i"),
    BadLine(BadLine.head + #""vault.export"}"#, "method_not_found", -32601, id: "i"),
    BadLine(BadLine.head + #""health","params":[]}"#, "invalid_params", -32602, id: "i"),
    BadLine(BadLine.head + #""health","params":{"x":1}}"#, "invalid_params", -32602, id: "i"),
    BadLine(
      BadLine.head + #""key.public","params":{"namespace":"a/../b"}}"#, "invalid_params", -32602,
      id: "i"),
    BadLine(
      BadLine.head + #""key.public","params":{"namespace":"a","namespace":"b"}}"#,
      "invalid_params", -32602, id: "i"),
    BadLine(
      BadLine.head + #""key.sign","params":{"namespace":"a","message":"AB==","format":"raw"}}"#,
      "invalid_params", -32602, id: "i"),
    BadLine(
      BadLine.head + #""namespace.list","params":{"limit":9007199254740993}}"#, "invalid_params",
      -32602, id: "i"),
  ]

  @Test func `each malformed line has its typed error, and the next line is served`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    for bad in Self.badLines {
      socket.send(bad.line + "\n")
      let answer = try socket.answer()
      #expect(answer.code == bad.code, "\(bad.line): \(answer.line)")
      #expect(answer.number == bad.number, "\(bad.line): \(answer.line)")
      #expect(answer.id == bad.id, "\(bad.line): \(answer.line)")
      #expect(answer.message?.isEmpty == false)
      #expect(try socket.call("health").flag("ok") == true, "after \(bad.line)")
    }
  }

  @Test func `invalid UTF-8 and a line without its end are refused`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    socket.send([0xFF, 0xFE, 0x0A])
    #expect(try socket.answer().code == "parse_error")
    socket.send(#"{"jsonrpc":"2.0","id":1,"method":"health"}"#)
    socket.endInput()
    let rest = socket.answersToEnd()
    #expect(rest.map(\.code) == ["parse_error"])
  }

  @Test func `admin methods are forbidden on the client socket`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    let key = Data(repeating: 1, count: 32).base64EncodedString()
    let calls: [(String, [String: Any])] = [
      ("unseal", ["key": key]), ("seal", [:]), ("slot.list", [:]),
      ("slot.add", ["label": "x", "key": key]), ("slot.remove", ["slot": 1]),
      ("clock.accept", [:]), ("clock.set_floor", ["time": "2026-01-15T08:30:00Z"]),
      ("namespace.revoke", ["namespace": "a"]),
      ("namespace.configure", ["namespace": "a", "user_confirmation": true]),
    ]
    for (method, params) in calls {
      let answer = try socket.call(method, params)
      #expect(answer.code == "forbidden", "\(method): \(answer.line)")
      #expect(answer.number == -32002)
    }
    #expect(try socket.call("status").text("state") == "unsealed")
  }

  @Test func `a client that stays silent in the middle of a line holds nobody up`() throws {
    let vault = try TestVault()
    let silent = try (0..<32).map { _ in try vault.connect() }
    for socket in silent { socket.send(#"{"jsonrpc":"2.0","id":1,"meth"#) }
    let other = try vault.connect()
    for _ in 0..<20 { #expect(try other.call("health").flag("ok") == true) }
    for socket in silent {
      socket.send(#"od":"health"}"# + "\n")
      #expect(try socket.answer().flag("ok") == true)
    }
  }
}
