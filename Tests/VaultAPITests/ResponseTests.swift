import Testing
import VaultAPI
import WireCoding

@Suite struct ResponseTests {
  @Test func `a success line carries the id and ends with a line feed`() {
    let line = ResponseLine.success(id: .number(7), HealthResult(ok: true))
    #expect(
      String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":7,"result":{"ok":true}}"#
        + "\n")
  }

  @Test func `an error line carries code, field and retry`() {
    let error = RPCError(.conflict, message: "no", field: "slot")
    let line = ResponseLine.failure(id: nil, error)
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":"no","data":"#
        + #"{"code":"conflict","field":"slot","retry":false}}}"# + "\n")
  }

  @Test(arguments: RPCErrorCode.allCases)
  func `every error reads back as it was written`(code: RPCErrorCode) throws {
    for error in [
      RPCError(code),
      RPCError(code, message: "a\"b\n", field: "x.y[1]", retry: true, retryAfter: 7),
    ] {
      let line = ResponseLine.failure(id: .string("é\"\\"), error)
      let response = try VaultResponse(line.span)
      #expect(response.id == .string("é\"\\"))
      #expect(response.outcome == .failure(ServerFailure(error)))
    }
    #expect(code.defaultMessage.hasSuffix("."))
  }

  @Test(arguments: ResultSample.all)
  func `every result reads back as a tree`(sample: ResultSample) throws {
    var writer = JSONWriter()
    sample.result.encode(into: &writer)
    let line = ResponseLine.success(id: .number(-1), sample.result)
    let response = try VaultResponse(line.span)
    #expect(response.id == .number(-1))
    #expect(try response.outcome.get() == JSONValue(writer.bytes.span))
    // What the product writes, Foundation reads, and sees one member for each name.
    let tree = try SchemaJSON(writer.bytes)
    #expect(tree.members.count == (try response.outcome.get().members?.count))
  }

  @Test(arguments: [
    "{}", "[]", "1", #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","result":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{}}"#, #"{"jsonrpc":"2.0","id":true,"result":1}"#,
    #"{"jsonrpc":"1.0","id":1,"result":1}"#,
  ])
  func `refuses a line that is no answer`(line: String) {
    let octets = Array(line.utf8)
    #expect(throws: VaultAPIError.notAnAnswer(offset: 0)) { try VaultResponse(octets.span) }
  }

  @Test func `takes an error class it does not know`() throws {
    let octets = Array(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"new"}}"#.utf8)
    let response = try VaultResponse(octets.span)
    let failure = ServerFailure(
      number: -32050, name: "", message: "new", field: nil, retry: false)
    #expect(response.outcome == .failure(failure))
    #expect(failure.code == nil)
  }
}
