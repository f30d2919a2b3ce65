import SecureMemory
import VaultCrypto
import WireCoding

/// What a key may be used for; a key never serves two purposes.
public enum KeyPurpose: String, Hashable, Sendable, CaseIterable {
  /// Signs Aliro device transcripts that the vault built itself.
  case presentation
  /// Signs content that the caller chooses.
  case signing

  /// The octet that stands for it in a record.
  var octet: UInt8 { self == .presentation ? 1 : 2 }
}

/// The plaintext of a key record.
///
/// `1 ‖ purpose 1 ‖ version 4 ‖ created 8 ‖ public key 65 ‖ private scalar 32`, big-endian; 111
/// octets. The public key stands beside the scalar so that giving it out needs no arithmetic.
struct KeyRecord: Sendable {
  static let length = 111
  private static let scalarStart = 79

  let purpose: KeyPurpose
  let version: Int64
  /// Seconds since 1970.
  let created: Int64
  let key: P256PrivateKey

  /// Makes a record for a new key.
  init(purpose: KeyPurpose, version: Int64, created: Int64, key: P256PrivateKey) {
    self.purpose = purpose
    self.version = version
    self.created = created
    self.key = key
  }

  /// The record's identifier within its namespace.
  static func identifier(_ purpose: KeyPurpose, version: Int64) -> String {
    "\(purpose.rawValue)/\(version)"
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    var writer = ByteWriter()
    writer.append([1, purpose.octet])
    writer.uint32(UInt32(truncatingIfNeeded: version))
    writer.uint64(UInt64(bitPattern: created))
    writer.append(key.publicKey.uncompressed)
    let head = writer.bytes
    do {
      let scalar = try key.scalar()
      var record = try SecretBytes(zeroed: Self.length)
      record.withMutableBytes { record in
        for index in head.indices { record[index] = head[index] }
        scalar.withBytes { scalar in
          for index in scalar.indices { record[Self.scalarStart + index] = scalar[index] }
        }
      }
      return record
    } catch {
      throw VaultError(.busy, "no locked memory is left for another key", retry: true)
    }
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not a key record, `busy` without locked memory.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    let damaged = VaultError(.damaged, "a key record does not hold a key")
    guard record.count == Self.length else { throw damaged }
    // All but the scalar is public, and may be copied.
    let head = record.withBytes { bytes in (0..<Self.scalarStart).map { bytes[$0] } }
    guard head[0] == 1, let purpose = KeyPurpose.allCases.first(where: { $0.octet == head[1] })
    else { throw damaged }
    self.purpose = purpose
    version = head[2..<6].reduce(0) { $0 << 8 | Int64($1) }
    created = Int64(bitPattern: head[6..<14].reduce(0) { $0 << 8 | UInt64($1) })
    do {
      let scalar = try record.withBytes { bytes throws(SecureMemoryError) in
        try SecretBytes(copying: bytes.extracting(Self.scalarStart..<Self.length))
      }
      key = try P256PrivateKey(scalar: scalar)
    } catch let error as VaultCryptoError where error != .memoryExhausted {
      throw damaged
    } catch {
      throw VaultError(.busy, "no locked memory is left for another key", retry: true)
    }
    // The stored public key is only a copy; one that differs means that the record was not ours.
    guard key.publicKey.uncompressed.elementsEqual(head[14...]) else { throw damaged }
  }
}
