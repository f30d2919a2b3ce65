import VaultAPI

/// A vault that has just been made.
struct NewVault: Equatable, Sendable {
  /// One of its slots.
  struct Slot: Equatable, Sendable {
    let number: Int64
    let kind: SlotKind
    let label: String
  }

  /// Its identifier, 16 octets.
  let vaultID: [UInt8]
  let slots: [Slot]
}
