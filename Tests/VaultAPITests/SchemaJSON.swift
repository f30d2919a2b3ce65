import Foundation
import VaultSchema

/// JSON as Foundation reads it: a second opinion beside the product's own reader.
enum SchemaJSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case string(String)
  case array([SchemaJSON])
  case object([String: SchemaJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([SchemaJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: SchemaJSON].self))
    }
  }

  init(_ octets: [UInt8]) throws {
    self = try JSONDecoder().decode(SchemaJSON.self, from: Data(octets))
  }

  /// The embedded OpenRPC document.
  static func document() throws -> SchemaJSON { try parsed.get() }

  private static let parsed = Result { try SchemaJSON(VaultSchema.openRPC) }

  subscript(name: String) -> SchemaJSON? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var number: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  var elements: [SchemaJSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var members: [String: SchemaJSON] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  /// The method's description.
  func method(_ name: String) -> SchemaJSON? {
    self["methods"]?.elements.first { $0["name"]?.text == name }
  }

  /// Follows `#/a/b/c`.
  func resolve(_ schema: SchemaJSON) -> SchemaJSON? {
    guard let reference = schema["$ref"]?.text else { return schema }
    guard reference.hasPrefix("#/") else { return nil }
    var place: SchemaJSON? = self
    for part in reference.dropFirst(2).split(separator: "/") { place = place?[String(part)] }
    return place
  }
}
