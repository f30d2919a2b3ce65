public import WireCoding

/// A result whose secrets went from the line straight into guarded memory.
public struct SecretAnswer: Sendable {
  /// The result without the members that are secret.
  public let value: JSONValue
  /// The secrets that came, by path.
  public let secrets: [String: SecretBox]

  /// Reads a result.
  ///
  /// - Parameters:
  ///   - reader: stands before the result, then after it.
  ///   - paths: where secrets may stand.
  /// - Throws: ``WireCodingError``.
  init(
    from reader: inout JSONReader, secrets paths: [String]
  ) throws(WireCodingError) {
    var secrets: [String: SecretBox] = [:]
    value = try Self.value(&reader, "", paths, &secrets)
    self.secrets = secrets
  }

  /// Reads a value, and takes the secrets out of it when it is an object.
  private static func value(
    _ reader: inout JSONReader, _ path: String, _ paths: [String],
    _ secrets: inout [String: SecretBox]
  ) throws(WireCodingError) -> JSONValue {
    guard try reader.peek() == .object else { return try JSONValue(from: &reader) }
    try reader.beginObject()
    var members: [JSONMember] = []
    var names: Set<[UInt8]> = []
    while let token = try reader.nextName() {
      guard names.insert(reader.octets(token)).inserted else {
        throw .json(.duplicateName, offset: token.start - 1)
      }
      let name = reader.text(token)
      let place = path.isEmpty ? name : path + "." + name
      if paths.contains(place) {
        secrets[place] = SecretBox(try reader.secretText(try reader.stringToken()))
      } else {
        members.append(
          JSONMember(name: name, value: try value(&reader, place, paths, &secrets)))
      }
    }
    return .object(members)
  }
}
