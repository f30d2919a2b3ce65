public import WireCoding

/// The answer to `unseal`.
public struct UnsealResult: VaultResult, Hashable {
  /// Whether the vault is sealed.
  public var state: SealState
  /// The slot that opened.
  public var slot: Int64
  /// What opened it.
  public var kind: SlotKind
  /// What was found damaged, in words; everything else works.
  public var damage: [String]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - state: whether the vault is sealed.
  ///   - slot: the slot that opened.
  ///   - kind: what opened it.
  ///   - damage: what was found damaged, in words.
  public init(state: SealState, slot: Int64, kind: SlotKind, damage: [String] = []) {
    self.state = state
    self.slot = slot
    self.kind = kind
    self.damage = damage
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("slot")
    writer.integer(slot)
    writer.name("kind")
    writer.string(kind.rawValue)
    writer.name("damage")
    writer.strings(damage)
    writer.endObject()
  }
}
