/// A JSON value as a tree, for clients that show answers rather than know their types.
public enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// An integer within ±2^53.
  case integer(Int64)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in the order of the text, no name twice.
  case object([JSONMember])

  /// Reads a whole text.
  ///
  /// - Parameter text: the text.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public init(_ text: Span<UInt8>) throws(WireCodingError) {
    var reader = JSONReader(text)
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Reads the value that comes next.
  ///
  /// - Parameter reader: stands before the value, then after it.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public init(from reader: inout JSONReader) throws(WireCodingError) {
    switch try reader.peek() {
    case .null:
      try reader.null()
      self = .null
    case .boolean: self = .boolean(try reader.boolean())
    case .number: self = .integer(try reader.integer())
    case .string: self = .string(reader.text(try reader.stringToken()))
    case .array:
      try reader.beginArray()
      var elements: [JSONValue] = []
      while try reader.nextElement() { elements.append(try JSONValue(from: &reader)) }
      self = .array(elements)
    case .object: self = .object(try Self.members(&reader))
    }
  }

  /// The value of a member of an object.
  ///
  /// - Parameter name: the member's name.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of an integer.
  public var number: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The value of `true` or `false`.
  public var flag: Bool? {
    guard case .boolean(let flag) = self else { return nil }
    return flag
  }

  /// The elements of an array.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members of an object.
  public var members: [JSONMember]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// Writes the value.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let flag): writer.boolean(flag)
    case .integer(let number): writer.integer(number)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.encode(into: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.name(text: member.name)
        member.value.encode(into: &writer)
      }
      writer.endObject()
    }
  }

  private static func members(_ reader: inout JSONReader) throws(WireCodingError) -> [JSONMember] {
    try reader.beginObject()
    var members: [JSONMember] = []
    var names: Set<[UInt8]> = []
    while let token = try reader.nextName() {
      // Names are compared as octets: two that differ only in their normal form are two names.
      guard names.insert(reader.octets(token)).inserted else {
        throw .json(.duplicateName, offset: token.start - 1)
      }
      members.append(JSONMember(name: reader.text(token), value: try JSONValue(from: &reader)))
    }
    return members
  }
}
