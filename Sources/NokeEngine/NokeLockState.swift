/// In which state a lock says that it is when it goes to sleep.
package enum NokeLockState: Hashable, Sendable {
  case unlocked, unshackled, locked, jammedUnlocking, jammedLocking
  /// An octet that no source explains.
  case unknown(UInt8)

  init(_ octet: UInt8) {
    self =
      switch octet {
      case 0: .unlocked
      case 1: .unshackled
      case 2: .locked
      case 3: .jammedUnlocking
      case 4: .jammedLocking
      default: .unknown(octet)
      }
  }

  /// The state as a word of the interface; an unknown octet is `unknown`.
  package var word: String {
    switch self {
    case .unlocked: "unlocked"
    case .unshackled: "unshackled"
    case .locked: "locked"
    case .jammedUnlocking: "jammed_unlocking"
    case .jammedLocking: "jammed_locking"
    case .unknown: "unknown"
    }
  }
}
