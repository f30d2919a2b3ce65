public import WireCoding

/// The answer to `slot.list`.
public struct SlotListResult: VaultResult, Hashable {
  /// The slots by number.
  public var slots: [SlotEntry]

  /// Makes the result.
  ///
  /// - Parameter slots: the slots by number.
  public init(slots: [SlotEntry]) {
    self.slots = slots
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("slots")
    writer.beginArray()
    for element in slots { element.encode(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}
