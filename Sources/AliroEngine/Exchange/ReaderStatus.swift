/// How a reader says a transaction ended: tag 97, or an error that it notifies (section 10).
struct ReaderStatus: Hashable, Sendable {
  private let value: UInt16

  /// Takes a value; any is possible.
  init(_ value: UInt16) {
    self.value = value
  }

  /// Reads a value as it is sent, two octets.
  init?(_ octets: [UInt8]) {
    guard octets.count == 2 else { return nil }
    self.init(UInt16(octets[0]) << 8 | UInt16(octets[1]))
  }

  /// Whether the reader is content; the high octet is then 01 and the low one the lock's state.
  var isSuccess: Bool { value >> 8 == 1 }

  /// The state of the lock that goes with success.
  var lockStatus: LockStatus? {
    isSuccess ? LockStatus(UInt8(truncatingIfNeeded: value)) : nil
  }

  /// The status in plain words.
  var words: String {
    if let lockStatus { return lockStatus.rawValue }
    return switch value {
    case 0x0001: "key not found"
    case 0x0002: "key expired"
    case 0x0003: "key not trusted"
    case 0x0004: "bad signature"
    case 0x0006: "bad format"
    case 0x0007: "bad content"
    case 0x0020: "status word error"
    case 0x0021: "no key slot"
    case 0x0022: "no public key"
    case 0x0023: "no signature"
    case 0x0025: "access rights"
    case 0x0026: "hardware"
    default: "a reason that is not known (\(String(value, radix: 16)))"
    }
  }
}
