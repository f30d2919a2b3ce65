/// One member of a JSON object.
public struct JSONMember: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Its value.
  public let value: JSONValue

  /// Makes a member.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - value: its value.
  public init(name: String, value: JSONValue) {
    self.name = name
    self.value = value
  }
}
