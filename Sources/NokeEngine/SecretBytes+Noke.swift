import SecureMemory
import VaultCrypto

extension SecretBytes {
  /// A secret of zero octets; exhaustion becomes this target's error.
  static func forNoke(_ count: Int) throws(NokeError) -> SecretBytes {
    do throws(SecureMemoryError) {
      return try SecretBytes(zeroed: count)
    } catch {
      throw .crypto(.memoryExhausted)
    }
  }

  /// Writes another secret over the octets from an offset on, as many as there is room for.
  mutating func fill(from offset: Int, with source: borrowing SecretBytes) {
    source.withBytes { source in
      withMutableBytes { bytes in
        for index in 0..<min(source.count, bytes.count - offset) {
          bytes[offset + index] = source[index]
        }
      }
    }
  }
}
