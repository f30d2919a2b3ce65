public import WireCoding

/// One key of `key.list`.
public struct KeyEntry: VaultResult, Hashable {
  /// What it is for.
  public var purpose: String
  /// Its version, from 1.
  public var version: Int64
  /// Its state.
  public var state: KeyState
  /// When it was made.
  public var created: Timestamp

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - purpose: what it is for.
  ///   - version: its version, from 1.
  ///   - state: its state.
  ///   - created: when it was made.
  public init(purpose: String, version: Int64, state: KeyState, created: Timestamp) {
    self.purpose = purpose
    self.version = version
    self.state = state
    self.created = created
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("purpose")
    writer.string(purpose)
    writer.name("version")
    writer.integer(version)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("created")
    writer.timestamp(created)
    writer.endObject()
  }
}
