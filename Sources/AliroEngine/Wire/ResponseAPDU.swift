/// The answer to a command: `data ‖ SW1 SW2` (section 2).
struct ResponseAPDU: Hashable, Sendable {
  /// The most data of one answer, since extended lengths are never announced.
  static let dataLimit = 254

  let data: [UInt8]
  let statusWord: UInt16

  init(_ data: [UInt8] = [], _ statusWord: StatusWord) {
    self.data = data
    self.statusWord = statusWord.rawValue
  }

  /// An answer of which more is to be had: `61` and how much, `00` when it is 256 octets or more
  /// (section 15.12).
  init(_ data: [UInt8], remaining: Int) {
    self.data = data
    statusWord = 0x6100 | (remaining > 0xFF ? 0 : UInt16(truncatingIfNeeded: remaining))
  }

  var encoded: [UInt8] { data + [UInt8(statusWord >> 8), UInt8(statusWord & 0xFF)] }
}
