public import WireCoding

/// One slot of `slot.list`.
public struct SlotEntry: VaultResult, Hashable {
  /// What a slot that is whole says of itself.
  public struct Header: Hashable, Sendable {
    /// What opens it.
    public var kind: SlotKind
    /// What the admin calls it.
    public var label: String
    /// When it was made.
    public var created: Timestamp
    /// The cost of a try, for a passphrase.
    public var argon2: Argon2Cost?

    /// Makes the header.
    ///
    /// - Parameters:
    ///   - kind: what opens it.
    ///   - label: what the admin calls it.
    ///   - created: when it was made.
    ///   - argon2: the cost of a try, for a passphrase.
    public init(kind: SlotKind, label: String, created: Timestamp, argon2: Argon2Cost? = nil) {
      self.kind = kind
      self.label = label
      self.created = created
      self.argon2 = argon2
    }
  }

  /// Its number.
  public var slot: Int64
  /// What it says of itself, `nil` when it is damaged.
  public var header: Header?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - slot: its number.
  ///   - header: what it says of itself, `nil` when it is damaged, missing, or was put back.
  public init(slot: Int64, header: Header?) {
    self.slot = slot
    self.header = header
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("slot")
    writer.integer(slot)
    writer.name("damaged")
    writer.boolean(header == nil)
    if let header {
      writer.name("kind")
      writer.string(header.kind.rawValue)
      writer.name("label")
      writer.string(header.label)
      writer.name("created")
      writer.timestamp(header.created)
      if let argon2 = header.argon2 {
        writer.name("argon2")
        argon2.encode(into: &writer)
      }
    }
    writer.endObject()
  }
}
