/// What a box can be told to do.
public enum FlinkeyBoxActionName: String, CaseIterable, Hashable, Sendable {
  case unlockCarUnlockBox = "unlock_car_unlock_box"
  case unlockCarLockBox = "unlock_car_lock_box"
  case lockCarLockBox = "lock_car_lock_box"
  /// To tell how it stands.
  case status
  /// To read the NFC tags in it.
  case readNFC = "read_nfc"
}
