import Testing
import VaultAPI
import WireCoding

/// The schema and the code say the same.
@Suite struct SchemaTests {
  let document: SchemaJSON

  init() throws {
    document = try SchemaJSON.document()
  }

  @Test func `describes exactly the methods of the code, with their marks`() throws {
    #expect(document["openrpc"]?.text?.hasPrefix("1.3.") == true)
    let methods = document["methods"]?.elements ?? []
    #expect(methods.compactMap { $0["name"]?.text } == VaultMethod.allCases.map(\.name))
    for method in VaultMethod.allCases {
      let description = try #require(document.method(method.name))
      #expect(description["x-admin-only"]?.flag == method.isAdminOnly)
      #expect(description["x-effects"]?.flag == method.hasEffects)
      #expect(description["x-key-output"]?.flag == method.hasKeyOutput)
      #expect(description["x-scope"]?.text == method.scope.rawValue)
      #expect(description["paramStructure"]?.text == "by-name")
      #expect(description["summary"]?.text?.hasSuffix(".") == true)
    }
  }

  @Test(arguments: VaultMethod.allCases)
  func `has the parameters the decoder takes, with the same rules`(method: VaultMethod) throws {
    let params = document.method(method.name)?["params"]?.elements ?? []
    #expect(params.compactMap { $0["name"]?.text } == method.parameters.map(\.name))
    for (param, field) in zip(params, method.parameters) {
      #expect(param["required"]?.flag == field.isRequired)
      let schema = try #require(param["schema"])
      #expect((schema["x-secret"]?.flag ?? false) == field.isSecret)
      expectEqual(schema, field.kind, field.name)
    }
  }

  @Test func `has every error with its number, words and advice to retry`() {
    let errors = document["components"]?["errors"]?.members ?? [:]
    #expect(Set(errors.keys) == Set(RPCErrorCode.allCases.map(\.name)))
    for code in RPCErrorCode.allCases {
      #expect(errors[code.name]?["code"]?.number == code.number)
      #expect(errors[code.name]?["message"]?.text == code.defaultMessage)
      #expect(errors[code.name]?["data"]?["code"]?.text == code.name)
      #expect(errors[code.name]?["data"]?["retry"]?.flag == code.isRetryable)
    }
  }

  @Test func `points only at what it defines, and uses all of it`() {
    var used: Set<String> = []
    func walk(_ value: SchemaJSON) {
      if let reference = value["$ref"]?.text {
        used.insert(reference)
        #expect(document.resolve(value) != nil, "\(reference)")
      }
      for element in value.elements { walk(element) }
      for member in value.members.values { walk(member) }
    }
    walk(document)
    let schemas = document["components"]?["schemas"]?.members.keys.map { "\($0)" } ?? []
    // The data of errors is described for readers; error objects carry values, not schemas.
    for name in schemas where name != "ErrorData" {
      #expect(used.contains("#/components/schemas/\(name)"), "\(name)")
    }
  }

  @Test(arguments: ResultSample.all)
  func `describes the results the code writes`(sample: ResultSample) throws {
    let schema = try #require(document.method(sample.method.name)?["result"]?["schema"])
    var writer = JSONWriter()
    sample.result.encode(into: &writer)
    let value = try SchemaJSON(writer.bytes)
    #expect(SchemaValidator(document: document).errors(value, schema) == [])
    let properties = Set(document.resolve(schema)?["properties"]?.members.keys ?? [:].keys)
    if sample.isFull { #expect(Set(value.members.keys) == properties) }
  }

  @Test func `has a full sample of every method's result`() {
    let methods = Set(ResultSample.all.filter(\.isFull).map(\.method))
    #expect(methods == Set(VaultMethod.allCases))
  }

  /// Compares a parameter's schema with the decoder's rule, keyword by keyword.
  private func expectEqual(_ schema: SchemaJSON, _ kind: FieldKind, _ path: String) {
    guard let found = document.resolve(schema) else {
      Issue.record("\(path): dangling reference")
      return
    }
    var keywords = found.members
    for note in ["description", "default", "writeOnly", "x-secret"] { keywords[note] = nil }
    let octets: (ClosedRange<Int>) -> [String: SchemaJSON] = { range in
      ["minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))]
    }
    var expected: [String: SchemaJSON] = ["type": .string("string")]
    switch kind {
    case .text(let range):
      expected["pattern"] = .string("^[ -~]*$")
      expected["minLength"] = .integer(Int64(range.lowerBound))
      expected["maxLength"] = .integer(Int64(range.upperBound))
    case .lines(let range):
      expected["minLength"] = .integer(1)
      expected["maxLength"] = .integer(Int64(range.upperBound))
      expected["x-octets"] = .object(octets(range))
    case .boolean: expected["type"] = .string("boolean")
    case .integer(let range):
      expected["type"] = .string("integer")
      expected["minimum"] = .integer(range.lowerBound)
      expected["maximum"] = .integer(range.upperBound)
    case .integerOrText(let range):
      expected["type"] = .array([.string("integer"), .string("string")])
      expected["minimum"] = .integer(range.lowerBound)
      expected["maximum"] = .integer(range.upperBound)
      expected["pattern"] = .string("^[1-9][0-9]*$")
    case .base64(let range, let multiple):
      expected.merge(base64(range)) { $1 }
      var size = octets(range)
      if multiple > 1 { size["multipleOf"] = .integer(Int64(multiple)) }
      expected["x-octets"] = .object(size)
    case .secretBase64(let count):
      expected.merge(base64(count...count)) { $1 }
      expected["x-octets"] = .object(octets(count...count))
    case .secretHex(let count):
      expected["pattern"] = .string("^[0-9A-Fa-f]{\(count * 2)}$")
    case .secretText(let range):
      expected["minLength"] = .integer(1)
      expected["maxLength"] = .integer(Int64(range.upperBound))
      expected["x-octets"] = .object(octets(range))
    case .hex(let count): expected["pattern"] = .string("^[0-9a-f]{\(count * 2)}$")
    case .digits(let count): expected["pattern"] = .string("^[0-9A-Fa-f]{\(count * 2)}$")
    case .lockAddress: expected = named("LockAddress")
    case .choice(let words): expected["enum"] = .array(words.map { .string($0) })
    case .namespace: expected = named("Namespace")
    case .namespacePrefix: expected = named("NamespacePrefix")
    case .timestamp: expected = named("Timestamp")
    case .array(let element, let range):
      expected = [
        "type": .string("array"), "minItems": .integer(Int64(range.lowerBound)),
        "maxItems": .integer(Int64(range.upperBound)), "items": found["items"] ?? .null,
      ]
      expectEqual(found["items"] ?? .null, element, path + "[]")
    case .object(let fields):
      let properties = found["properties"]?.members ?? [:]
      #expect(Set(properties.keys) == Set(fields.map(\.name)))
      expected = [
        "type": .string("object"), "additionalProperties": .bool(false),
        "properties": .object(properties),
        "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
      ]
      for field in fields {
        let schema = properties[field.name] ?? .null
        #expect((schema["x-secret"]?.flag ?? false) == field.isSecret)
        expectEqual(schema, field.kind, path + "." + field.name)
      }
    }
    #expect(keywords == expected, "\(path)")
  }

  private func named(_ name: String) -> [String: SchemaJSON] {
    var members = document["components"]?["schemas"]?[name]?.members ?? [:]
    members["description"] = nil
    return members
  }

  private func base64(_ range: ClosedRange<Int>) -> [String: SchemaJSON] {
    [
      "contentEncoding": .string("base64"),
      "pattern": .string(
        "^(?:[A-Za-z0-9+/]{4})*"
          + "(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$"),
      "minLength": .integer(Int64(Base64.encodedCount(range.lowerBound))),
      "maxLength": .integer(Int64(Base64.encodedCount(range.upperBound))),
    ]
  }
}
