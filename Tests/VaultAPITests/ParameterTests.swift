import Testing
import VaultAPI
import WireCoding

/// What holds for the parameters of every method, driven by the tables the decoder uses.
@Suite struct ParameterTests {
  @Test(arguments: VaultMethod.allCases)
  func `takes parameters in any order, before or after the method`(method: VaultMethod) throws {
    let fields = try Sample.fields(method)
    let params = Sample.object(fields)
    let backwards = Sample.object(fields.reversed())
    let lines = [
      Sample.line(method, params), Sample.line(method, backwards),
      #"{"params":\#(params),"id":7,"method":"\#(method.name)","jsonrpc":"2.0"}"#,
      #" { "method" : "\#(method.name)" , "params" : \#(params) ,"jsonrpc":"2.0", "id":7 } "#,
    ]
    for line in lines {
      let envelope = try Sample.decode(line)
      #expect(envelope.id == .number(7))
      #expect(envelope.request.method == method)
      try expectSame(envelope.request, params)
    }
  }

  @Test(arguments: VaultMethod.allCases)
  func `works without each optional parameter, and names each required one that is missing`(
    method: VaultMethod
  ) throws {
    let fields = try Sample.fields(method)
    let document = try SchemaJSON.document()
    let oneOf = document.method(method.name)?["x-exactly-one-of"]?.elements.compactMap(\.text) ?? []
    for field in fields {
      let line = Sample.line(method, Sample.object(fields.filter { $0 != field }))
      if let condition = Sample.Condition(method, document.method(method.name)),
        condition.params.contains(field.name)
      {
        #expect(Sample.error(line)?.field == field.name)
      } else if field.isRequired {
        #expect(Sample.error(line)?.field == field.name)
        #expect(Sample.error(line)?.message == "\(field.name) is required.")
      } else if oneOf.contains(field.name) {
        #expect(Sample.error(line)?.code == .invalidParams)
        let both = Sample.object(method.parameters)
        #expect(Sample.error(Sample.line(method, both))?.code == .invalidParams)
      } else {
        #expect(try Sample.decode(line).request.method == method)
      }
    }
  }

  @Test(arguments: VaultMethod.allCases)
  func `asks for what one choice needs, and takes it with no other`(method: VaultMethod) throws {
    let description = try SchemaJSON.document().method(method.name)
    guard let condition = Sample.Condition(method, description) else {
      #expect(description?["x-only-with"] == nil)
      return
    }
    #expect(condition.words.contains(condition.value))
    let others = method.parameters.filter { $0.name != condition.param && $0.isRequired }
    let needed = method.parameters.filter { condition.params.contains($0.name) }
    #expect(needed.count == condition.params.count)
    #expect(needed.allSatisfy { !$0.isRequired })
    for word in condition.words {
      let choice = #","\#(condition.param)":"\#(word)"}"#
      func error(_ fields: [Field]) -> RPCError? {
        Sample.error(Sample.line(method, Sample.object(others + fields).dropLast() + choice))
      }
      let isTheOne = word == condition.value
      #expect((error(needed) == nil) == isTheOne)
      #expect((error([]) == nil) == !isTheOne)
      for field in needed {
        let found = isTheOne ? error(needed.filter { $0 != field }) : error([field])
        let rule = isTheOne ? "is required" : "is not taken"
        #expect(found?.code == .invalidParams)
        #expect(found?.field == field.name)
        #expect(
          found?.message == "\(field.name) \(rule) when \(condition.param) is \(word).")
      }
    }
  }

  @Test(arguments: VaultMethod.allCases)
  func `refuses an unknown or repeated parameter by name`(method: VaultMethod) throws {
    let fields = try Sample.fields(method)
    let inner = Sample.object(fields).dropLast()
    let comma = fields.isEmpty ? "" : ","
    let unknown = Sample.error(Sample.line(method, inner + comma + "\"bogus\":{\"a\":[1.5]}}"))
    #expect(unknown?.code == .invalidParams)
    #expect(unknown?.field == "bogus")
    for field in fields {
      let twice = Sample.line(method, "\(inner),\"\(field.name)\":\(Sample.value(field.kind))}")
      #expect(Sample.error(twice)?.field == field.name)
      #expect(Sample.error(twice)?.message == "\(field.name) is given twice.")
      // An escape in the name does not make it another name.
      let first = Array(field.name.utf8.prefix(1))
      let name = "\\u00" + Hex.encode(first.span) + field.name.dropFirst()
      let escaped = Sample.line(method, "\(inner),\"\(name)\":\(Sample.value(field.kind))}")
      #expect(Sample.error(escaped)?.field == field.name)
    }
  }

  @Test(arguments: VaultMethod.allCases)
  func `names the parameter whose type, size or form is wrong`(method: VaultMethod) throws {
    let fields = try Sample.fields(method)
    for field in fields {
      let others = fields.filter { $0 != field }
      for value in Sample.wrong(field.kind) {
        let inner = Sample.object(others).dropLast() + (others.isEmpty ? "" : ",")
        let error = Sample.error(Sample.line(method, "\(inner)\"\(field.name)\":\(value)}"))
        #expect(error?.code == .invalidParams, "\(field.name) \(value)")
        #expect(error?.field?.hasPrefix(field.name) == true, "\(field.name) \(value)")
        #expect(error?.retry == false)
      }
    }
  }

  @Test(arguments: VaultMethod.allCases, ["[]", "1", "\"\"", "null", "[1,2]", "true"])
  func `takes parameters by name only`(method: VaultMethod, params: String) throws {
    let error = Sample.error(Sample.line(method, params))
    #expect(error?.code == .invalidParams)
    #expect(error?.field == "params")
  }

  @Test(arguments: VaultMethod.allCases)
  func `absent parameters are an empty object`(method: VaultMethod) throws {
    let line = #"{"jsonrpc":"2.0","method":"\#(method.name)","id":7}"#
    let isOneOf = try SchemaJSON.document().method(method.name)?["x-exactly-one-of"] != nil
    let needed = method.parameters.contains(where: \.isRequired) || isOneOf
    #expect((Sample.error(line) == nil) == !needed)
  }

  /// Encodes the request again and compares each given parameter.
  private func expectSame(_ request: VaultRequest, _ params: String) throws {
    let envelope = RequestEnvelope(id: .number(7), request: request)
    let line = try encode(envelope)
    #expect(line.last == UInt8(ascii: "\n"))
    let again = try JSONValue(line.span)
    let given = Array(params.utf8)
    let value = try JSONValue(given.span)
    for member in value.members ?? [] {
      #expect(again["params"]?[member.name] == member.value)
    }
    #expect(throws: Never.self) { try Sample.decode(String(decoding: line, as: UTF8.self)) }
  }

  private func encode(_ envelope: RequestEnvelope) throws -> [UInt8] {
    guard envelope.request.method.takesSecret else {
      return try #require(RequestLine.encode(envelope))
    }
    #expect(RequestLine.encode(envelope) == nil)
    let secret = try RequestLine.encodeSecret(envelope)
    return secret.withBytes { octets in
      var copy: [UInt8] = []
      for index in octets.indices { copy.append(octets[index]) }
      return copy
    }
  }
}
