/// A slot as a list shows it.
package struct SlotListing: Hashable, Sendable {
  /// The number of the slot.
  package let slot: Int64
  /// What its header says, `nil` when the slot is damaged or missing.
  package let header: SlotHeader?
}
