import SecureMemory
import Testing
import WireCoding

@testable import VaultAPI

@Suite struct SecretResultTests {
  /// A result with secrets in two places.
  private struct Sample: SecretResult {
    let token: SecretBox
    let password: SecretBox

    func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
      writer.beginObject()
      writer.name("state")
      writer.string("valid")
      writer.name("token")
      writer.string(secret: token.bytes)
      writer.name("inputs")
      writer.beginObject()
      writer.name("user")
      writer.string("u")
      writer.name("password")
      writer.string(secret: password.bytes)
      writer.endObject()
      writer.endObject()
    }
  }

  private static let paths = ["token", "inputs.password"]

  private func secret(_ text: String) throws -> SecretBox {
    SecretBox(try SecretBytes(copying: Array(text.utf8).span))
  }

  private func read(_ text: String) throws -> SecretResponse {
    try SecretResponse(Array(text.utf8).span, secrets: Self.paths)
  }

  @Test func `a written result reads back, its secrets apart`() throws {
    let token = String(repeating: "t\"\\\u{1}é😀", count: 900)
    let sample = Sample(token: try secret(token), password: try secret("p&=+ %"))
    let line = try ResponseLine.success(id: .number(7), secret: sample)
    let response = try line.withBytes { octets in
      #expect(octets[octets.count - 1] == UInt8(ascii: "\n"))
      #expect((0..<octets.count - 1).allSatisfy { octets[$0] != UInt8(ascii: "\n") })
      return try SecretResponse(octets.extracting(droppingLast: 1), secrets: Self.paths)
    }
    #expect(response.id == .number(7))
    let answer = try response.outcome.get()
    #expect(
      answer.value
        == .object([
          JSONMember(name: "state", value: .string("valid")),
          JSONMember(
            name: "inputs", value: .object([JSONMember(name: "user", value: .string("u"))])),
        ]))
    #expect(Set(answer.secrets.keys) == Set(Self.paths))
    #expect(answer.secrets["token"]?.bytes.isEqual(to: try secret(token).bytes) == true)
    #expect(
      answer.secrets["inputs.password"]?.bytes.isEqual(to: try secret("p&=+ %").bytes) == true)
  }

  @Test func `a secret that did not come is not there`() throws {
    let answer = try read(#"{"jsonrpc":"2.0","id":"q","result":{"state":"blocked"}}"#)
    #expect(answer.id == .string("q"))
    #expect(try answer.outcome.get().secrets.isEmpty)
  }

  @Test func `a refusal keeps its number, name and words`() throws {
    let error = RPCError(.busy, message: "No.", field: "user", retryAfter: 5)
    let line = ResponseLine.failure(id: nil, error)
    let response = try SecretResponse(
      line.span.extracting(droppingLast: 1), secrets: Self.paths)
    #expect(response.id == nil)
    guard case .failure(let failure) = response.outcome else {
      Issue.record("a result")
      return
    }
    #expect(failure == ServerFailure(error))
  }

  @Test(arguments: [
    "", "nonsense", "[]", "{}", #"{"jsonrpc":"1.0","id":1,"result":{}}"#,
    #"{"jsonrpc":"2.0","result":{}}"#, #"{"jsonrpc":"2.0","id":true,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":7}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":null}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":"a","token":"b"}}"#,
    #"{"jsonrpc":"2.0","id":1,"id":1,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":"a"}} x"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":"a}"#,
  ])
  func `what is no answer is refused`(_ line: String) {
    #expect(throws: VaultAPIError.self) { _ = try read(line) }
  }

  @Test(arguments: VaultMethod.allCases)
  func `the schema marks the same members secret`(method: VaultMethod) throws {
    let document = try SchemaJSON.document()
    let schema = try #require(document.method(method.name)?["result"]?["schema"])
    #expect(paths(schema, "", document).sorted() == method.secretResults.sorted())
  }

  /// Where a schema says that secrets stand; in an array they may stand nowhere.
  private func paths(_ schema: SchemaJSON, _ path: String, _ document: SchemaJSON) -> [String] {
    if schema["x-secret"]?.flag == true { return [path] }
    guard let found = document.resolve(schema) else { return ["?"] }
    if found["x-secret"]?.flag == true { return [path] }
    var places: [String] = []
    for (name, member) in found["properties"]?.members ?? [:] {
      places += paths(member, path.isEmpty ? name : path + "." + name, document)
    }
    if let items = found["items"] { places += paths(items, path + "[]", document) }
    return places
  }
}
