public import WireCoding

/// One current key of `namespace.get`.
public struct KeySummary: VaultResult, Hashable {
  /// What it is for.
  public var purpose: String
  /// Its version, from 1.
  public var version: Int64
  /// Its state.
  public var state: KeyState

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - purpose: what it is for.
  ///   - version: its version, from 1.
  ///   - state: its state.
  public init(purpose: String, version: Int64, state: KeyState) {
    self.purpose = purpose
    self.version = version
    self.state = state
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
    writer.endObject()
  }
}
