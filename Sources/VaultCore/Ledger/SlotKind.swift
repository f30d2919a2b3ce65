/// How a slot gets from a secret to the master key; the numbers are in the database.
package enum SlotKind: Int64, Hashable, Sendable, CaseIterable {
  /// A passphrase, stretched by Argon2id.
  case passphrase = 1
  /// 32 random octets in a key file or a systemd credential.
  case keyFile = 2
}
