public import WireCoding

/// The answer to `namespace.get`.
public struct NamespaceGetResult: VaultResult, Hashable {
  /// The namespace.
  public var namespace: NamespaceName
  /// The sixteen octets that name the namespace for good.
  public var id: [UInt8]
  /// Its state.
  public var state: NamespaceState
  /// How often its keys or records changed hands.
  public var generation: Int64
  /// When it was made.
  public var created: Timestamp
  /// Its keys.
  public var keys: [KeySummary]
  /// Whether it holds a pass.
  public var pass: Bool
  /// Whether a presentation may be opened with `user_confirmed`.
  public var userConfirmation: Bool

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - id: the sixteen octets that name the namespace for good.
  ///   - state: its state.
  ///   - generation: how often its keys or records changed hands.
  ///   - created: when it was made.
  ///   - keys: its keys.
  ///   - pass: whether it holds a pass.
  ///   - userConfirmation: whether a presentation may be opened with `user_confirmed`.
  public init(
    namespace: NamespaceName, id: [UInt8], state: NamespaceState, generation: Int64,
    created: Timestamp, keys: [KeySummary], pass: Bool, userConfirmation: Bool
  ) {
    self.namespace = namespace
    self.id = id
    self.state = state
    self.generation = generation
    self.created = created
    self.keys = keys
    self.pass = pass
    self.userConfirmation = userConfirmation
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("id")
    writer.hex(id.span)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("generation")
    writer.integer(generation)
    writer.name("created")
    writer.timestamp(created)
    writer.name("keys")
    writer.beginArray()
    for element in keys { element.encode(into: &writer) }
    writer.endArray()
    writer.name("pass")
    writer.boolean(pass)
    writer.name("user_confirmation")
    writer.boolean(userConfirmation)
    writer.endObject()
  }
}
