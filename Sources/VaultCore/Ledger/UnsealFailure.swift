/// Why no slot opened.
package enum UnsealFailure: Hashable, Sendable {
  /// The slot's octets are damaged: its checksum is wrong.
  case damagedSlot
  /// The slot is whole, but not for this secret.
  case wrongSecret
  /// The slot and the secret belong together, but to another vault.
  case otherVault
  /// There is no slot of the kind the secret is for.
  case noSuchSlot
}
