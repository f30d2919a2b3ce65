import SecureMemory
import WireCoding

/// What records of several parts consist of.
extension ByteReader {
  /// Reads what is or is not there: one octet, 1 or 0, and for 1 the value.
  mutating func optional<Value>(
    _ read: (inout ByteReader) throws(WireCodingError) -> Value
  ) throws(WireCodingError) -> Value? {
    switch try uint8() {
    case 0: return nil
    case 1: return try read(&self)
    default: throw .truncated(offset: offset)
    }
  }

  /// Reads eight octets as an integer with sign.
  mutating func int64() throws(WireCodingError) -> Int64 {
    Int64(bitPattern: try uint64())
  }

  /// Reads a secret behind its length, two octets.
  ///
  /// - Parameter range: how many octets it may have.
  /// - Returns: the secret.
  /// - Throws: ``WireCodingError``; `secretMemory` without locked memory.
  mutating func secret(_ range: ClosedRange<Int>) throws(WireCodingError) -> HeldSecret {
    let count = Int(try uint16())
    guard range.contains(count) else { throw .truncated(offset: offset) }
    let octets = try span(count)
    do throws(SecureMemoryError) {
      return HeldSecret(try SecretBytes(copying: octets))
    } catch {
      throw .secretMemory(error)
    }
  }
}

extension VaultError {
  /// What it means that a record could not be read: want of memory is not its fault.
  init(reading error: any Error, _ words: String) {
    if case .secretMemory(let reason) = error as? WireCodingError {
      self.init(LedgerError.memory(reason))
    } else {
      self.init(.damaged, words)
    }
  }
}
