import Foundation
import VaultAPI

/// Parameters that fit or do not fit, made from the field tables.
enum Sample {
  /// A value that fits, as JSON.
  static func value(_ kind: FieldKind) -> String {
    switch kind {
    case .text(let range): quoted(String(repeating: "a", count: range.lowerBound))
    case .lines(let range): quoted(String(repeating: "a\\n", count: (range.lowerBound + 1) / 2))
    case .boolean: "true"
    case .integer(let range): "\(range.lowerBound)"
    case .integerOrText(let range): "\(range.lowerBound)"
    case .base64(let range, _): quoted(base64(range.lowerBound))
    case .hex(let count): quoted(String(repeating: "0a", count: count))
    case .digits(let count): quoted(String(repeating: "0A", count: count))
    case .lockAddress: quoted("CB:bc:87:3B:CB:D7")
    case .choice(let words): quoted(words[0])
    case .namespace: quoted("home/door-1")
    case .namespacePrefix: quoted("home/")
    case .timestamp: quoted("2026-01-15T08:30:00Z")
    case .object(let fields): object(fields)
    case .array(let kind, let range):
      "[" + Array(repeating: value(kind), count: range.lowerBound).joined(separator: ",") + "]"
    case .secretText: quoted("correct horse")
    case .secretBase64(let count): quoted(base64(count))
    case .secretHex(let count): quoted(String(repeating: "0a", count: count))
    }
  }

  /// Values that do not fit, as JSON.
  static func wrong(_ kind: FieldKind) -> [String] {
    let always = ["null", "1.5", "{}", "[[]]", "9007199254740993"]
    switch kind {
    case .text(let range):
      return always + [
        quoted(String(repeating: "a", count: range.upperBound + 1)), quoted(""), "1",
        quoted("é"), quoted("a\\nb"),
      ]
    case .lines(let range):
      return always + [
        quoted(String(repeating: "a", count: range.upperBound + 1)), quoted(""), "1",
      ]
    case .boolean: return always + ["0", quoted("true"), "[true]"]
    case .integer(let range):
      return always + ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", quoted("1"), "true"]
    case .integerOrText(let range):
      return always + [
        "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "true",
        quoted("\(range.upperBound + 1)"), quoted("0\(range.lowerBound)"), quoted("+1"),
        quoted(" 1"), quoted("1.0"), quoted(""), quoted("99999999999999999999"),
      ]
    case .base64(let range, let multiple):
      var values = [quoted(base64(range.upperBound + 1)), quoted("QQ"), quoted("QR=="), "0"]
      if range.lowerBound > 0 { values.append(quoted(base64(range.lowerBound - 1))) }
      if multiple > 1 { values.append(quoted(base64(range.lowerBound + 1))) }
      return always + values
    case .hex(let count):
      return always + [
        quoted(String(repeating: "0A", count: count)), quoted(String(repeating: "0", count: 31)),
      ]
    case .digits(let count):
      let octets = String(repeating: "0A", count: count - 1)
      return always
        + [octets, octets + "0", octets + "0A0", octets + "0g", octets + "é"].map(quoted)
    case .lockAddress:
      return always
        + [
          "", "CBBC873BCBD", "CBBC873BCBD70", "CBBC873BCBDG", "CB:BC:87:3B:CB:D",
          "CB-BC-87-3B-CB-D7",
          "CB:BC:87:3B:CBD7:", ":CB:BC:87:3BCB:D7", "CB:BC:87:3B:CB:é",
        ].map(quoted)
    case .choice: return always + [quoted(""), quoted("other"), "0"]
    case .namespace:
      return always + ["", "A", "a/", "/a", "a//b", "..", "a/.b"].map(quoted)
    case .namespacePrefix: return always + ["", "/", "a//", "A"].map(quoted)
    case .timestamp:
      return always
        + ["", "2026-01-15", "2026-02-30T08:30:00Z", "2026-01-15T08:30:00+00:00"].map(quoted)
    case .object: return ["null", "1", "[]", quoted("")]
    case .array: return ["null", "1", "{}", quoted("")]
    case .secretText(let range):
      return always + [quoted(""), quoted(String(repeating: "s", count: range.upperBound + 1))]
    case .secretBase64(let count):
      return always + [base64(count + 1), base64(count - 1), "A", "QR=="].map(quoted)
    case .secretHex(let count):
      let octets = String(repeating: "0A", count: count - 1)
      return always
        + [octets, octets + "0", octets + "0A0", octets + "0g", octets + "é"].map(quoted)
    }
  }

  static func object(_ fields: [Field]) -> String {
    "{" + fields.map { "\"\($0.name)\":\(value($0.kind))" }.joined(separator: ",") + "}"
  }

  static func base64(_ count: Int) -> String {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }).base64EncodedString()
  }

  static func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// Of members that exclude each other, all but the first are left out, and so are those that do
  /// not go with the first choice of another one.
  static func fields(_ method: VaultMethod) throws -> [Field] {
    let description = try SchemaJSON.document().method(method.name)
    let rule = description?["x-exactly-one-of"]?.elements ?? []
    var excluded = rule.dropFirst().compactMap(\.text)
    if let condition = Condition(method, description), condition.words.first != condition.value {
      excluded += condition.params
    }
    return method.parameters.filter { !excluded.contains($0.name) }
  }

  /// Parameters that are required with one value of another parameter and refused with the others.
  struct Condition {
    let param: String
    let value: String
    let params: [String]
    /// Every value of the parameter.
    let words: [String]

    init?(_ method: VaultMethod, _ description: SchemaJSON?) {
      guard let rule = description?["x-only-with"], let param = rule["param"]?.text,
        let value = rule["value"]?.text,
        case .choice(let words) = method.parameters.first(where: { $0.name == param })?.kind
      else { return nil }
      (self.param, self.value, self.words) = (param, value, words)
      params = rule["params"]?.elements.compactMap(\.text) ?? []
    }
  }

  static func line(_ method: VaultMethod, _ params: String) -> String {
    #"{"jsonrpc":"2.0","id":7,"method":"\#(method.name)","params":\#(params)}"#
  }

  static func decode(_ line: String) throws(RequestRefusal) -> RequestEnvelope {
    let octets = Array(line.utf8)
    return try RequestEnvelope.decode(octets.span)
  }

  /// The error that answers a line, which must carry the id 7.
  static func error(_ line: String) -> RPCError? {
    do throws(RequestRefusal) {
      _ = try decode(line)
      return nil
    } catch {
      return error.id == .number(7) ? error.error : nil
    }
  }
}
