/// What a box can be told to do, in the combinations that the vendor offers.
///
/// Factory reset is not one of them, and there is no way to set its bit.
package enum FlinkeyBoxAction: String, CaseIterable, Hashable, Sendable {
  case unlockCarUnlockBox = "unlock_car_unlock_box"
  case unlockCarLockBox = "unlock_car_lock_box"
  case lockCarLockBox = "lock_car_lock_box"
  /// To tell how it stands, and do nothing.
  case status
  /// To read the NFC tags in it, and do nothing.
  case readNFC = "read_nfc"

  /// The bits of the command: 0 lock box, 1 unlock box, 2 lock car, 3 unlock car, 4 status, 5 read NFC.
  fileprivate var bits: UInt8 {
    switch self {
    case .unlockCarUnlockBox: 0b01_1010
    case .unlockCarLockBox: 0b01_1001
    case .lockCarLockBox: 0b01_0101
    case .status: 0b01_0000
    case .readNFC: 0b10_0000
    }
  }

  /// The data that goes with the SDK's trigger command.
  ///
  /// `check 1 ‖ 16 ‖ version 2 ‖ milliseconds 8 ‖ bits 1 ‖ 0 0 0`, numbers with the low octet first. It
  /// carries neither key nor signature: authority is the Mobile Key's, which the SDK holds.
  ///
  /// - Parameters:
  ///   - readingNFC: whether the tags in the box are read as well.
  ///   - milliseconds: the time, since 1970.
  /// - Returns: 16 octets.
  package func commandData(readingNFC: Bool, atMilliseconds milliseconds: UInt64) -> [UInt8] {
    var data: [UInt8] = [16, 1, 0]
    for place in 0..<8 { data.append(UInt8(truncatingIfNeeded: milliseconds >> (8 * place))) }
    data += [bits | (readingNFC ? Self.readNFC.bits : 0), 0, 0, 0]
    return [CRC8.code(data)] + data
  }
}
