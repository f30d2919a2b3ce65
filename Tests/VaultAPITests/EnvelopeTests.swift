import Testing
import VaultAPI
import WireCoding

/// What is a request, and which `id` the answer to a bad one carries.
@Suite struct EnvelopeTests {
  @Test func `takes an id of either kind`() throws {
    let ids: [(String, RequestID)] = [
      ("0", .number(0)), ("-9007199254740992", .number(-9_007_199_254_740_992)),
      ("9007199254740992", .number(9_007_199_254_740_992)), ("\"a\"", .string("a")),
      ("\"\\u00e9\"", .string("é")),
      ("\"\(String(repeating: "x", count: 64))\"", .string(String(repeating: "x", count: 64))),
    ]
    for (text, id) in ids {
      let line = #"{"jsonrpc":"2.0","id":\#(text),"method":"health"}"#
      #expect(try Sample.decode(line).id == id)
    }
  }

  @Test(arguments: [
    "null", "1.0", "1e3", "true", "{}", "[]", "\"\"", "9007199254740993", "-9007199254740993",
    "\"\(String(repeating: "x", count: 65))\"",
  ])
  func `refuses any other id, and answers null`(id: String) {
    let refusal = refusal(#"{"jsonrpc":"2.0","id":\#(id),"method":"health"}"#)
    #expect(refusal?.id == nil)
    #expect(refusal?.error.code == .invalidRequest)
    #expect(refusal?.error.field == "id")
    #expect(refusal?.method == .health)
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","method":"health"}"#, "id"),
    (#"{"method":"health","id":7}"#, "jsonrpc"),
    (#"{"jsonrpc":"1.0","method":"health","id":7}"#, "jsonrpc"),
    (#"{"jsonrpc":2.0,"method":"health","id":7}"#, "jsonrpc"),
    (#"{"jsonrpc":"2.0","id":7}"#, "method"),
    (#"{"jsonrpc":"2.0","method":7,"id":7}"#, "method"),
    (#"{"jsonrpc":"2.0","method":null,"id":7,"params":{"a":[{}]}}"#, "method"),
    (#"{"jsonrpc":"2.0","method":"health","id":7,"result":{}}"#, "result"),
    (#"{"jsonrpc":"2.0","method":"health","method":"health","id":7}"#, "method"),
    (#"{"jsonrpc":"2.0","jsonrpc":"2.0","method":"health","id":7}"#, "jsonrpc"),
    (#"{"jsonrpc":"2.0","method":"health","params":{},"params":{},"id":7}"#, "params"),
    (#"{"a b":1,"jsonrpc":"2.0","method":"health","id":7}"#, "?"),
  ])
  func `names the member of the envelope that is wrong`(line: String, field: String) {
    let refusal = refusal(line)
    #expect(refusal?.error.code == .invalidRequest)
    #expect(refusal?.error.field == field)
    #expect(refusal?.id == (field == "id" ? nil : .number(7)))
  }

  @Test func `does not choose between two ids`() {
    let refusal = refusal(#"{"jsonrpc":"2.0","id":1,"method":"health","id":1}"#)
    #expect(refusal?.id == nil)
    #expect(refusal?.error.field == "id")
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"key.export","id":7}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"Health","params":{"a":1e3,"a":2}}"#,
    #"{"params":[[1.5]],"jsonrpc":"2.0","id":7,"method":""}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"healt\u0068x"}"#,
  ])
  func `says that a method does not exist`(line: String) {
    let refusal = refusal(line)
    #expect(refusal?.error.code == .methodNotFound)
    #expect(refusal?.id == .number(7))
    #expect(refusal?.method == nil)
  }

  @Test func `an escaped name is the same name`() throws {
    let line = #"{"\u006asonrpc":"\u0032.0","i\u0064":7,"m\u0065thod":"healt\u0068"}"#
    #expect(try Sample.decode(line).request.method == .health)
  }

  @Test(arguments: ["[]", "[{}]", #"[{"jsonrpc":"2.0","id":1,"method":"health"}]"#, " [1] "])
  func `refuses a batch`(line: String) {
    let refusal = refusal(line)
    #expect(refusal?.error.code == .unsupported)
    #expect(refusal?.id == nil)
  }

  @Test(arguments: ["1", "\"a\"", "null", "true", "-1"])
  func `refuses a line that is no object`(line: String) {
    #expect(refusal(line)?.error.code == .invalidRequest)
  }

  @Test(arguments: [
    ("", false), ("{", false), ("[", false), ("x", false),
    (#"{"id":7,"jsonrpc":"2.0","method":"health"}}"#, true),
    (#"{"id":7,"jsonrpc":"2.0","method":"health"} x"#, true),
    (#"{"id":7,"jsonrpc":"2.0","method":"health",}"#, true),
    (#"{"id":7,"jsonrpc":"2.0","method":"health","params":{"a":tru}}"#, true),
    (#"{"id":7,"jsonrpc":"2.0","method":"hello","params":{"client":"\u0000"}}"#, true),
    (#"{"id":7,"jsonrpc":"2.0","method":"hello","params":{"bogus":1,"b":}}"#, true),
    (#"{"params":{"a":01},"id":7,"jsonrpc":"2.0","method":"health"}"#, false),
    (#"{"id":7,"params":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]],"method":"health"}"#, true),
  ])
  func `answers text that is no JSON with the id that came before`(line: String, hasID: Bool) {
    let refusal = refusal(line)
    #expect(refusal?.error.code == .parseError)
    #expect(refusal?.id == (hasID ? .number(7) : nil))
  }

  @Test func `refuses every beginning of a valid line, and keeps the id once it was read`() {
    let line = Array(Sample.line(.keySign, Sample.object(VaultMethod.keySign.parameters)).utf8)
    for count in 0..<line.count {
      let octets = Array(line[..<count])
      do throws(RequestRefusal) {
        _ = try RequestEnvelope.decode(octets.span)
        Issue.record("accepted \(count) octets")
      } catch {
        #expect(error.error.code == .parseError)
        // The id ends where its digit is followed by a comma.
        #expect((error.id == .number(7)) == (count >= 23), "\(count)")
      }
    }
  }

  @Test func `names the place inside a nested parameter`() {
    let group = { (id: String, more: String) in
      #"{"reader_group_id":"\#(id)","issuer_ca_public_key":"\#(Sample.base64(65))""#
        + #","issuer_ca_certificate_der":"AA=="\#(more)}"#
    }
    let good = group(Sample.base64(16), "")
    let cases: [(String, String)] = [
      (group(Sample.base64(15), ""), "pass.reader_groups[2].reader_group_id"),
      (group(Sample.base64(16), #","x":1"#), "pass.reader_groups[2].x"),
      (
        group(Sample.base64(16), #","reader_group_id":"AA==""#),
        "pass.reader_groups[2].reader_group_id"
      ),
      (
        #"{"reader_group_id":"\#(Sample.base64(16))"}"#,
        "pass.reader_groups[2].issuer_ca_public_key"
      ),
      ("[]", "pass.reader_groups[2]"), ("null", "pass.reader_groups[2]"),
    ]
    for (third, field) in cases {
      let pass = #"{"access_document":"AA==","reader_groups":[\#(good),\#(good),\#(third)]}"#
      let error = Sample.error(Sample.line(.passStore, #"{"namespace":"a","pass":\#(pass)}"#))
      #expect(error?.code == .invalidParams)
      #expect(error?.field == field)
    }
    let many = Array(repeating: good, count: 65).joined(separator: ",")
    let pass = #"{"access_document":"AA==","reader_groups":[\#(many)]}"#
    let error = Sample.error(Sample.line(.passStore, #"{"namespace":"a","pass":\#(pass)}"#))
    #expect(error?.field == "pass.reader_groups")
    let hello = Sample.error(Sample.line(.hello, #"{"protocol":[1,2,0]}"#))
    #expect(hello?.field == "protocol[2]")
    #expect(hello?.message == "protocol[2] must be an integer from 1 to 1000000.")
  }

  private func refusal(_ line: String) -> RequestRefusal? {
    do throws(RequestRefusal) {
      _ = try Sample.decode(line)
      return nil
    } catch {
      return error
    }
  }
}
