import SecureMemory

extension SecretBytes {
  /// A secret of zero octets; exhaustion becomes this target's error.
  static func zeroed(_ count: Int) throws(VaultCryptoError) -> SecretBytes {
    do { return try SecretBytes(zeroed: count) } catch { throw .memoryExhausted }
  }

  /// A secret of random octets; exhaustion becomes this target's error.
  static func random(_ count: Int) throws(VaultCryptoError) -> SecretBytes {
    do { return try SecretBytes(random: count) } catch { throw .memoryExhausted }
  }

  /// A second secret with the same octets; exhaustion becomes this target's error.
  static func copy(of other: borrowing SecretBytes) throws(VaultCryptoError) -> SecretBytes {
    do { return try other.duplicate() } catch { throw .memoryExhausted }
  }

  /// Turns big-endian into little-endian and back, in place.
  mutating func reverse() {
    withMutableBytes { bytes in
      for index in 0..<bytes.count / 2 { bytes.swapAt(index, bytes.count - 1 - index) }
    }
  }
}

extension SecretBytes {
  /// Writes the octets of another secret from an offset on, as many as there is room for.
  mutating func write(_ source: borrowing SecretBytes, at offset: Int) {
    source.withBytes { source in
      withMutableBytes { bytes in
        guard offset >= 0, offset < bytes.count else { return }
        for index in 0..<min(source.count, bytes.count - offset) {
          bytes[offset + index] = source[index]
        }
      }
    }
  }
}
