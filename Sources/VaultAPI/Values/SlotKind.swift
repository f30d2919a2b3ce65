/// What opens a slot.
public enum SlotKind: String, CaseIterable, Hashable, Sendable {
  /// A passphrase, through Argon2id.
  case passphrase
  /// Thirty-two octets of a key file.
  case keyFile = "key-file"
}
