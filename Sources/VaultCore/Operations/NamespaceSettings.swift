import SecureMemory

/// What a namespace allows: the content of a record, which is `1 ‖ flags 1`.
///
/// Without a record nothing is allowed.
struct NamespaceSettings: Hashable, Sendable {
  /// The record's identifier; a namespace has one.
  static let identifier = "settings"

  /// Whether a caller's word that its user has confirmed satisfies a reader that asks for user
  /// authentication (section 4, policy 03).
  var allowsUserConfirmation = false

  /// Starts with nothing allowed.
  init() {}

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it holds what this release does not write.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    let flags = record.withBytes { bytes in
      bytes.count == 2 && bytes[0] == 1 && bytes[1] & ~1 == 0 ? bytes[1] : nil
    }
    guard let flags else { throw VaultError(.damaged, "a settings record does not hold settings") }
    allowsUserConfirmation = flags & 1 != 0
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    let octets: [UInt8] = [1, allowsUserConfirmation ? 1 : 0]
    do { return try SecretBytes(copying: octets.span) } catch { throw VaultError(.memory(error)) }
  }
}
