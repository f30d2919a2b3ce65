public import WireCoding

/// The caller of an explained call.
public struct ExplainedCaller: VaultResult, Hashable {
  /// Its user.
  public var uid: Int64
  /// All its groups.
  public var groups: [Int64]
  /// The systemd unit of its process.
  public var unit: String?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - uid: its user.
  ///   - groups: all its groups.
  ///   - unit: the systemd unit of its process.
  public init(uid: Int64, groups: [Int64], unit: String? = nil) {
    self.uid = uid
    self.groups = groups
    self.unit = unit
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("uid")
    writer.integer(uid)
    writer.name("groups")
    writer.beginArray()
    for group in groups { writer.integer(group) }
    writer.endArray()
    writer.optional("unit", unit)
    writer.endObject()
  }
}
