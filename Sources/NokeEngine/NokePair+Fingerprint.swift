import SecureMemory
package import VaultCrypto
import WireCoding

extension NokePair {
  /// Tells two pairs apart without telling anything of them.
  ///
  /// Sandbox pairs are few and known, and a plain hash could be compared with theirs; this one needs a
  /// key, which is the vault's own. It is the first half of a keyed BLAKE2b-256 over a label, the
  /// offline key and the unlock command.
  ///
  /// - Parameter key: a key that makes codes of nothing else that begins with that label.
  /// - Returns: 32 lower-case hexadecimal digits.
  /// - Throws: ``NokeError/crypto(_:)``.
  package borrowing func fingerprint(key: borrowing MACKey) throws(NokeError) -> String {
    let label = Array("latchkey noke pair".utf8)
    var message = try SecretBytes.forNoke(label.count + Self.storedCount)
    message.withMutableBytes { bytes in
      for index in label.indices { bytes[index] = label[index] }
    }
    message.fill(from: label.count, with: octets)
    let code = message.withBytes { bytes in key.code(bytes) }
    return Hex.encode(code.span.extracting(first: 16))
  }
}
