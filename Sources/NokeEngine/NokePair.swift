package import SecureMemory
import VaultCrypto
import WireCoding

/// The two secrets that open one lock without a network: its offline key, an AES-128 key, and the
/// unlock command, 4 octets of header and 16 of body.
///
/// Neither is ever given out; what comes of them are packets and ``fingerprint(key:)``.
package struct NokePair: ~Copyable, Sendable {
  /// How many octets an offline key has.
  package static let offlineKeyCount = 16
  /// How many octets an unlock command has.
  package static let unlockCommandCount = 20
  /// How many octets the stored form has.
  package static let storedCount = offlineKeyCount + unlockCommandCount

  /// `offline key 16 ‖ header 4 ‖ body 16`.
  let octets: SecretBytes

  /// Joins a key and a command, which stay the caller's to end.
  ///
  /// - Parameters:
  ///   - offlineKey: 16 octets.
  ///   - unlockCommand: 20 octets.
  /// - Throws: ``NokeError/parameter(_:due:)`` for `offline_key` or `unlock_command`, or
  ///   ``NokeError/crypto(_:)``.
  package init(
    offlineKey: borrowing SecretBytes, unlockCommand: borrowing SecretBytes
  ) throws(NokeError) {
    guard offlineKey.count == Self.offlineKeyCount else {
      throw .parameter("offline_key", due: "\(2 * Self.offlineKeyCount) hexadecimal digits")
    }
    guard unlockCommand.count == Self.unlockCommandCount else {
      throw .parameter("unlock_command", due: "\(2 * Self.unlockCommandCount) hexadecimal digits")
    }
    var joined = try SecretBytes.forNoke(Self.storedCount)
    joined.fill(from: 0, with: offlineKey)
    joined.fill(from: Self.offlineKeyCount, with: unlockCommand)
    octets = joined
  }

  /// Reads a key and a command as they are written.
  ///
  /// - Parameters:
  ///   - offlineKey: exactly 32 hexadecimal digits of either case, in memory that is the caller's to
  ///     wipe.
  ///   - unlockCommand: exactly 40.
  /// - Throws: ``NokeError/parameter(_:due:)`` for `offline_key` or `unlock_command`, or
  ///   ``NokeError/crypto(_:)``.
  package init(
    offlineKeyDigits offlineKey: Span<UInt8>, unlockCommandDigits unlockCommand: Span<UInt8>
  ) throws(NokeError) {
    let key = try Self.secret(offlineKey, count: Self.offlineKeyCount, field: "offline_key")
    let command = try Self.secret(
      unlockCommand, count: Self.unlockCommandCount, field: "unlock_command")
    try self.init(offlineKey: key, unlockCommand: command)
  }

  /// Takes the stored form over.
  ///
  /// - Parameter stored: exactly what ``stored()`` gave.
  /// - Throws: ``NokeError/damaged`` for another length.
  package init(stored: consuming SecretBytes) throws(NokeError) {
    guard stored.count == Self.storedCount else { throw .damaged }
    octets = stored
  }

  /// The stored form, to be sealed: `offline key 16 ‖ unlock command 20`.
  ///
  /// - Returns: 36 octets.
  /// - Throws: ``NokeError/crypto(_:)``.
  package borrowing func stored() throws(NokeError) -> SecretBytes {
    do throws(SecureMemoryError) {
      return try octets.duplicate()
    } catch {
      throw .crypto(.memoryExhausted)
    }
  }

  private static func secret(
    _ digits: Span<UInt8>, count: Int, field: String
  ) throws(NokeError) -> SecretBytes {
    let due = "\(2 * count) hexadecimal digits"
    guard digits.count == 2 * count else { throw .parameter(field, due: due) }
    do throws(WireCodingError) {
      return try Hex.decodeSecret(digits, acceptingUpperCase: true)
    } catch {
      if case .secretMemory = error { throw .crypto(.memoryExhausted) }
      throw .parameter(field, due: due)
    }
  }
}
