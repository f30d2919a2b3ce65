package import SecureMemory
import VaultCrypto

/// A row of keys of 32 octets that one derivation makes.
///
/// The blocks of section 7 have five keys, the last of which is URSK. HKDF's octets come one after
/// the other, so that the four before it can be made without it: URSK never exists here.
package struct KeyBlock: ~Copyable {
  /// How many keys of a block are made.
  static let keys = 4

  private let block: SecretBytes

  /// Derives the keys.
  package init(from key: borrowing SecretBytes, salt: [UInt8], info: [UInt8]) throws(Failure) {
    block = try computing {
      try HKDF.sha256(inputKey: key, salt: salt.span, info: info.span, count: Self.keys * 32)
    }
  }

  /// Takes a copy of the key at a place of the row.
  package func key(_ index: Int) throws(Failure) -> SecretBytes {
    try computing {
      try block.withBytes { bytes in
        try SecretBytes(copying: bytes.extracting(index * 32..<index * 32 + 32))
      }
    }
  }
}
