/// The state of the lock as a reader reports it.
///
/// The values are those of "access protocol completed" and, for the moving states, of the reader
/// status words whose low octet they are (section 10). Where the layout is uncertain (section 15.12)
/// a value that is not understood is `unknown`, never a failure.
enum LockStatus: String {
  case secured, unsecured, jammed, securing, unsecuring, unknown

  init(_ octet: UInt8?) {
    self =
      switch octet {
      case 0x00: .secured
      case 0x01: .unsecured
      case 0x02: .jammed
      case 0x80: .securing
      case 0x81: .unsecuring
      default: .unknown
      }
  }
}
