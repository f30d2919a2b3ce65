import SecureMemory

/// The mailbox of a namespace (section 9): the content of a record, `1 ‖ octets`.
///
/// What a reader keeps there is the reader's, no secret of the vault's; on disk it is sealed like any
/// record.
struct MailboxRecord: Sendable {
  /// The record's identifier; a namespace has one mailbox.
  static let identifier = "mailbox"

  /// The octets; as many as the pass says, for the life of the record.
  private(set) var octets: [UInt8]

  /// Makes a mailbox of zeros.
  init(zeros count: Int) {
    octets = [UInt8](repeating: 0, count: count)
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is no mailbox.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    let found = record.withBytes { bytes -> [UInt8]? in
      guard bytes.count > 1, bytes[0] == 1 else { return nil }
      return (1..<bytes.count).map { bytes[$0] }
    }
    guard let found else { throw VaultError(.damaged, "a mailbox record does not hold a mailbox") }
    octets = found
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    do { return try SecretBytes(copying: ([1] + octets).span) } catch {
      throw VaultError(.memory(error))
    }
  }

  /// Writes over the octets from an offset on, whatever they are by now.
  ///
  /// - Throws: ``VaultError`` `internal` when it does not fit: the engine has checked every range.
  mutating func write(_ new: [UInt8], at offset: Int) throws(VaultError) {
    guard offset >= 0, offset <= octets.count, new.count <= octets.count - offset else {
      throw VaultError(.internal, "a write does not fit the mailbox")
    }
    octets.replaceSubrange(offset..<offset + new.count, with: new)
  }
}
