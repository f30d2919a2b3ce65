import AliroEngine
import SecureMemory
import WireCoding

/// The plaintext of a pass record: `1 ‖ stored 8 ‖ pass`, the time in Unix seconds, big-endian.
///
/// A pass is not secret (the console that stores it has it too), so it is kept in plain memory.
struct PassRecord: Sendable {
  /// The record's identifier; a namespace has one pass.
  static let identifier = "pass"

  /// When it was stored, Unix seconds.
  let stored: Int64
  let pass: TokenUnlockPass

  /// Takes a pass that was validated.
  init(_ pass: TokenUnlockPass, stored: Int64) {
    self.pass = pass
    self.stored = stored
  }

  /// The identifiers of its reader groups.
  var groups: [[UInt8]] { pass.readerGroups.map(\.groupIdentifier) }

  /// What the namespace is found by.
  ///
  /// - Parameter keys: the group resolving keys that belong to the pass.
  /// - Returns: its groups.
  func found(with keys: GroupResolvingKeys?) -> [FoundGroup] {
    groups.map { FoundGroup($0, isKeyed: keys?[$0] != nil) }
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    var writer = ByteWriter(reservingCapacity: pass.accessDocument.count + 1024)
    writer.uint8(1)
    writer.uint64(UInt64(bitPattern: stored))
    writer.append(pass.encoded)
    do { return try SecretBytes(copying: writer.bytes.span) } catch {
      throw VaultError(LedgerError.memory(error))
    }
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not a pass record.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    do {
      (stored, pass) = try record.withBytes { bytes in
        var reader = ByteReader(bytes)
        guard try reader.uint8() == 1 else { throw WireCodingError.truncated(offset: 0) }
        let stored = Int64(bitPattern: try reader.uint64())
        return (stored, try TokenUnlockPass(encoded: reader.span(reader.remaining)))
      }
    } catch {
      throw VaultError(.damaged, "a pass record does not hold a pass")
    }
  }
}
