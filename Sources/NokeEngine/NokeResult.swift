/// The result of a command, as the lock tells it in clear.
///
/// Its octet is what counts: the numbers that the two libraries make of it disagree.
package enum NokeResult: Hashable, Sendable {
  /// The command was carried out; `command` is the number by which the lock calls it.
  case success(command: UInt8)
  /// A diagnostic packet, which comes with the octet of success and says nothing about a command.
  case diagnostic
  /// The offline key is not, or no more, the lock's, or the session is an old one.
  case wrongKey
  /// The lock does not know the command.
  case notUnderstood
  /// The lock knows the key, which has no permission.
  case noPermission
  /// The lock is going to sleep; `isTimeout` tells whether it was left alone for too long.
  case shuttingDown(NokeLockState, isTimeout: Bool)
  /// The lock does not accept the data.
  case invalidData
  /// A reading of the battery.
  case battery
  /// The lock could not lock.
  case lockFailed
  /// The lock could not unlock.
  case unlockFailed
  /// The lock could not release its shackle.
  case shackleFailed
  /// It is not the time of the lock's own schedule.
  case outsideSchedule
  /// The door was opened from within.
  case freeExit
  /// The command is invalid.
  case invalid
  /// An octet that no source explains.
  case unknown(UInt8)

  /// Reads the 20 octets of a response for the app.
  init(_ octets: [UInt8]) {
    self =
      switch octets[1] {
      case 0x60: octets[4] == 0x9B ? .diagnostic : .success(command: octets[2])
      case 0x61: .wrongKey
      case 0x62: .notUnderstood
      case 0x63: .noPermission
      case 0x64: .shuttingDown(NokeLockState(octets[2]), isTimeout: octets[3] != 1)
      case 0x65: .invalidData
      case 0x66: .battery
      case 0x68: .lockFailed
      case 0x69: .unlockFailed
      case 0x6A: .shackleFailed
      case 0x6D: .outsideSchedule
      case 0x6F: .freeExit
      case 0xFF: .invalid
      case let other: .unknown(other)
      }
  }

  /// The result as a word of the interface; an unknown octet is `unknown`.
  package var word: String {
    switch self {
    case .success: "success"
    case .diagnostic: "diagnostic"
    case .wrongKey: "wrong_key"
    case .notUnderstood: "not_understood"
    case .noPermission: "no_permission"
    case .shuttingDown: "shutting_down"
    case .invalidData: "invalid_data"
    case .battery: "battery"
    case .lockFailed: "lock_failed"
    case .unlockFailed: "unlock_failed"
    case .shackleFailed: "shackle_failed"
    case .outsideSchedule: "outside_schedule"
    case .freeExit: "free_exit"
    case .invalid: "invalid"
    case .unknown: "unknown"
    }
  }
}
