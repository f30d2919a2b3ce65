import Foundation

/// As much of JSON Schema as the document uses; a keyword it does not know is an error.
struct SchemaValidator {
  let document: SchemaJSON

  private static let annotations: Set<String> = [
    "description", "default", "format", "writeOnly", "x-secret", "contentEncoding",
  ]

  /// Says what in `value` the schema does not allow.
  func errors(_ value: SchemaJSON, _ schema: SchemaJSON, at path: String = "$") -> [String] {
    guard let schema = document.resolve(schema) else { return ["\(path): dangling reference"] }
    return schema.members.flatMap { keyword, rule in
      Self.annotations.contains(keyword)
        ? [] : errors(value, keyword: keyword, rule: rule, schema, at: path)
    }
  }

  private func errors(
    _ value: SchemaJSON, keyword: String, rule: SchemaJSON, _ schema: SchemaJSON, at path: String
  ) -> [String] {
    func check(_ holds: Bool?) -> [String] { holds == true ? [] : ["\(path): \(keyword)"] }
    let length = value.text.map { Int64($0.unicodeScalars.count) }
    let bound = rule.number ?? 0
    switch keyword {
    case "type": return check(type(value) == rule.text)
    case "enum": return check(rule.elements.contains(value))
    case "const": return check(rule == value)
    case "minimum": return check(value.number.map { $0 >= bound })
    case "maximum": return check(value.number.map { $0 <= bound })
    case "minLength": return check(length.map { $0 >= bound })
    case "maxLength": return check(length.map { $0 <= bound })
    case "minItems": return check(value.elements.count >= bound)
    case "maxItems": return check(value.elements.count <= bound)
    case "pattern":
      return check(value.text.map { matches($0, rule.text ?? "") })
    case "x-octets": return check(octets(value, schema).map { fits($0, rule) })
    case "items":
      return value.elements.enumerated().flatMap { index, element in
        errors(element, rule, at: "\(path)[\(index)]")
      }
    case "properties":
      return value.members.flatMap { name, member in
        rule[name].map { errors(member, $0, at: "\(path).\(name)") } ?? []
      }
    case "required":
      return rule.elements.compactMap(\.text).filter { value[$0] == nil }.map {
        "\(path).\($0): required"
      }
    case "additionalProperties":
      let known = schema["properties"]?.members ?? [:]
      return value.members.keys.filter { known[$0] == nil }.map { "\(path).\($0): additional" }
    default: return ["\(path): unknown keyword \(keyword)"]
    }
  }

  private func type(_ value: SchemaJSON) -> String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? NSRegularExpression(pattern: pattern) else { return false }
    let range = NSRange(text.startIndex..., in: text)
    return expression.firstMatch(in: text, range: range) != nil
  }

  private func octets(_ value: SchemaJSON, _ schema: SchemaJSON) -> Int? {
    guard let text = value.text else { return nil }
    guard schema["contentEncoding"]?.text == "base64" else { return text.utf8.count }
    return Data(base64Encoded: text)?.count
  }

  private func fits(_ count: Int, _ rule: SchemaJSON) -> Bool {
    let count = Int64(count)
    return count >= rule["minimum"]?.number ?? 0 && count <= rule["maximum"]?.number ?? .max
      && count % (rule["multipleOf"]?.number ?? 1) == 0
  }
}
