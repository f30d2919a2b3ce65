import Foundation
import Testing

/// The calls of presentations through the real daemon: what they refuse, by name, and whom they
/// serve.
@Suite struct PresentationWireTests {
  private static func octets(_ count: Int) -> String {
    Data(repeating: 4, count: count).base64EncodedString()
  }

  /// A call that is right but for one parameter.
  struct Fault: Sendable, CustomTestStringConvertible {
    let method: String
    let params: String
    let field: String

    init(_ method: String, _ params: String, _ field: String) {
      (self.method, self.params, self.field) = (method, params, field)
    }

    var testDescription: String { "\(method) \(field)" }
  }

  static let faults: [Fault] =
    signFaults + passFaults + [
      Fault("presentation.open", #""transport":"uwb""#, "transport"),
      Fault("presentation.open", #""transport":"ble""#, "intent"),
      Fault("presentation.open", #""transport":"ble","intent":"approach""#, "reader_versions"),
      Fault(
        "presentation.open", #""transport":"ble","intent":"secure","reader_versions":"AQA=""#,
        "version"),
      Fault(
        "presentation.open",
        #""transport":"ble","intent":"secure","reader_versions":"AQA=","version":"AgA=""#,
        "version"),
      Fault("presentation.open", #""transport":"nfc","version":"AQA=""#, "version"),
      Fault("presentation.open", #""transport":"nfc","intent":"unsecure""#, "intent"),
      Fault("presentation.open", #""transport":"nfc","user_confirmed":1"#, "user_confirmed"),
      Fault("presentation.match", #""advertisement":"\#(octets(30))""#, "advertisement"),
      // Of the right size, and no advertisement of a reader.
      Fault(
        "presentation.match", #""advertisement":"\#(octets(31))","address":"\#(octets(6))""#,
        "advertisement"),
      Fault(
        "presentation.match", #""advertisement":"\#(octets(31))","address":"\#(octets(5))""#,
        "address"),
      Fault("presentation.request", #""presentation":"00""#, "presentation"),
      Fault("presentation.request", request("open"), "request"),
      Fault("presentation.request", request("ranging"), "ranging"),
      Fault(
        "presentation.request", request("secure") + #","ranging":{"message":"m1","payload":""}"#,
        "ranging"),
      Fault(
        "presentation.request", request("ranging") + #","ranging":{"message":"m5","payload":""}"#,
        "ranging.message"),
      Fault(
        "presentation.request", request("ranging") + #","ranging":{"message":"m1"}"#,
        "ranging.payload"),
    ]

  private static func request(_ word: String) -> String {
    #""presentation":"\#(String(repeating: "0", count: 32))","request":"\#(word)""#
  }

  private static let transaction: [(name: String, size: Int)] = [
    ("reader_identifier", 32), ("device_ephemeral_key", 65), ("reader_ephemeral_key", 65),
    ("transaction_identifier", 16), ("reader_signature", 64),
  ]

  private static let signFaults = transaction.indices.map { wrong in
    let members = transaction.indices.map { index in
      let size = transaction[index].size + (index == wrong ? 1 : 0)
      return #""\#(transaction[index].name)":"\#(octets(size))""#
    }
    return Fault("presentation.sign", members.joined(separator: ","), transaction[wrong].name)
  }

  private static let passFaults: [Fault] = {
    func pass(_ group: String, _ more: String) -> String {
      #""pass":{"access_document":"AA==","reader_groups":[{"reader_group_id":"\#(octets(16))","#
        + #""issuer_ca_public_key":"\#(octets(65))","issuer_ca_certificate_der":"AA=="\#(group)}]"#
        + more + "}"
    }
    let mailbox = #","mailbox":{"readable":true,"writable":true,"step_up":false,"size":"#
    return [
      Fault(
        "pass.store", pass(#","group_resolving_key":"AA==""#, ""),
        "pass.reader_groups[0].group_resolving_key"),
      Fault("pass.store", pass("", #","revocation_document":"""#), "pass.revocation_document"),
      Fault(
        "pass.store", pass("", #","credential_issuer_public_key":"AA==""#),
        "pass.credential_issuer_public_key"),
      Fault("pass.store", pass("", mailbox + "4097}"), "pass.mailbox.size"),
      Fault("pass.store", pass("", #","mailbox":{"size":1}"#), "pass.mailbox.readable"),
      Fault("pass.store", pass("", mailbox + "1}"), "pass.access_document"),
    ]
  }()

  @Test func `the parameter at fault is named, also within arrays and objects`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    try socket.call("key.public", ["namespace": "a"])
    for fault in Self.faults {
      // Those without a namespace are told apart by the method.
      let hasNone = ["presentation.match", "presentation.request"].contains(fault.method)
      let params = (hasNone ? "" : #""namespace":"a","#) + fault.params
      socket.send(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(fault.method)","params":{\#(params)}}"# + "\n")
      let answer = try socket.answer()
      #expect(answer.code == "invalid_params", "\(fault): \(answer.line)")
      #expect(answer.field == fault.field, "\(fault): \(answer.line)")
    }
  }

  private func open(
    _ socket: VaultSocket, transport: String = "ble", _ namespace: String = "a"
  ) throws -> Answer {
    var params: [String: Any] = ["namespace": namespace, "transport": transport]
    if transport == "ble" {
      params.merge(["intent": "approach", "reader_versions": "AQA=", "version": "AQA="]) { $1 }
    }
    return try socket.call("presentation.open", params)
  }

  @Test func `a presentation is there for the connection that opened it, and no other`() throws {
    let vault = try TestVault()
    let (own, other) = (try vault.connect(), try vault.connect(.admin))
    try own.call("key.public", ["namespace": "a"])
    for transport in ["ble", "nfc"] {
      let id = try #require(try open(own, transport: transport).text("presentation"))
      let calls: [(String, [String: Any])] = [
        ("presentation.exchange", ["presentation": id, "message": "AAAAAA=="]),
        ("presentation.request", ["presentation": id, "request": "unsecure"]),
        ("presentation.close", ["presentation": id]),
      ]
      for (method, params) in calls {
        let answer = try other.call(method, params)
        #expect(answer.code == "not_found", "\(method): \(answer.line)")
        #expect(answer.field == "presentation")
      }
      #expect(try own.call("presentation.close", ["presentation": id]).text("state") == "closed")
      #expect(try own.call("presentation.close", ["presentation": id]).code == "not_found")
    }
  }

  @Test func `the time for the first command is told over BLE, as it is configured`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    try socket.call("key.public", ["namespace": "a"])
    let opened = try open(socket)
    #expect(opened.text("state") == "awaiting_auth0")
    #expect(opened.integer("timeout_ms") == 2500)
    let other = try open(socket, transport: "nfc")
    #expect(other.text("state") == "awaiting_select")
    #expect(other.result?["timeout_ms"] == nil)
    try vault.stop()

    let file = vault.directory.path + "/latchkey.conf"
    try Data("auth0-timeout-ms = 700\n".utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try vault.start(["--config", file])
    #expect(try open(vault.connect()).integer("timeout_ms") == 700)
  }

  @Test func `a request before the reader has accepted is refused, and the session goes on`()
    throws
  {
    let vault = try TestVault()
    let socket = try vault.connect()
    try socket.call("key.public", ["namespace": "a"])
    let id = try #require(try open(socket).text("presentation"))
    let ranging: [String: Any] = ["message": "m1", "payload": ""]
    for (word, more) in [("unsecure", nil), ("initiate_ranging", nil), ("ranging", ranging)] {
      var params: [String: Any] = ["presentation": id, "request": word]
      params["ranging"] = more
      let answer = try socket.call("presentation.request", params)
      let refusal = answer.result?["refusal"] as? [String: Any]
      #expect(refusal?["code"] as? String == "protocol_error", "\(answer.line)")
      #expect(answer.text("state") == "awaiting_auth0")
      #expect((answer.result?["messages"] as? [Any])?.count == 0)
      #expect(answer.flag("disconnect") == false)
    }
    #expect(try socket.call("presentation.close", ["presentation": id]).result != nil)
  }

  @Test func `an admin says whether a user's confirmation counts, and anybody may look`() throws {
    let vault = try TestVault()
    let (client, admin) = (try vault.connect(), try vault.connect(.admin))
    try client.call("namespace.create", ["namespace": "a"])
    func allowed() throws -> Bool? {
      try client.call("namespace.get", ["namespace": "a"]).flag("user_confirmation")
    }
    #expect(try allowed() == false)
    for choice in [true, false, true] {
      let params: [String: Any] = ["namespace": "a", "user_confirmation": choice]
      #expect(try client.call("namespace.configure", params).code == "forbidden")
      #expect(try admin.call("namespace.configure", params).integer("seq") != nil)
      #expect(try allowed() == choice)
    }
    let nowhere: [String: Any] = ["namespace": "b", "user_confirmation": true]
    #expect(try admin.call("namespace.configure", nowhere).code == "not_found")
    let told = try vault.control("namespace", "get", "a")
    #expect(told.output.contains("\nuser confirmation  allowed\n"), "\(told.output)")
  }

  @Test func `without a pass nothing matches and nothing is signed`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    try socket.call("key.public", ["namespace": "a"])
    let advertisement: [UInt8] =
      [2, 1, 6, 0x1B, 0x16, 0xF2, 0xFF, 0x40, 0] + [UInt8](repeating: 7, count: 14)
      + [0] + [UInt8](repeating: 9, count: 7)
    for namespace in [nil, "a"] {
      var params: [String: Any] = [
        "advertisement": Data(advertisement).base64EncodedString(), "address": Self.octets(6),
      ]
      params["namespace"] = namespace
      let answer = try socket.call("presentation.match", params)
      #expect(answer.flag("connectable") == true, "\(answer.line)")
      #expect((answer.result?["matches"] as? [Any])?.count == 0)
      #expect(answer.flag("more") == false)
    }
    var params: [String: Any] = ["namespace": "a"]
    for (name, size) in Self.transaction { params[name] = Self.octets(size) }
    let key = try #require(try socket.call("key.public", ["namespace": "b"]).text("point"))
    let other = try #require(try socket.call("key.public", ["namespace": "c"]).text("point"))
    params.merge(["device_ephemeral_key": key, "reader_ephemeral_key": other]) { $1 }
    #expect(try socket.call("presentation.sign", params).code == "pass_missing")
    #expect(try vault.control("seal").isGood)
    #expect(try socket.call("presentation.sign", params).code == "sealed")
  }
}
