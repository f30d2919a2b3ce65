/// What ends the plaintext answer to every EXCHANGE: `00 02 <result 2>` (section 9).
package enum ExchangeResult: UInt16 {
  case success = 0x0000
  /// A range outside of the mailbox; of the values in the sources, the actuator's (section 15.12).
  case outOfRange = 0xFFFF

  /// The octets.
  package var encoded: [UInt8] { [0x00, 0x02, UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
