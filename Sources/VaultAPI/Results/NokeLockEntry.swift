public import WireCoding

/// What is known of a lock; nothing of it is secret.
public struct NokeLockEntry: VaultResult, Hashable {
  /// Its address, pairs of upper-case digits with colons.
  public var mac: String
  /// Which world its pairs belong to.
  public var environment: LockEnvironment
  /// Its pairs: the active one, the pending one, the former ones, the last one first.
  public var pairs: [NokePairEntry]

  /// Makes the entry.
  ///
  /// - Parameters:
  ///   - mac: its address, pairs of upper-case digits with colons.
  ///   - environment: which world its pairs belong to.
  ///   - pairs: its pairs: the active one, the pending one, the former ones, the last one first.
  public init(mac: String, environment: LockEnvironment, pairs: [NokePairEntry]) {
    self.mac = mac
    self.environment = environment
    self.pairs = pairs
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("mac")
    writer.string(mac)
    writer.name("environment")
    writer.string(environment.rawValue)
    writer.name("pairs")
    writer.beginArray()
    for pair in pairs { pair.encode(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}
