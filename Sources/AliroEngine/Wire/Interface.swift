/// The radio of a transaction, as the salts name it (section 7).
package enum Interface: UInt8 {
  case nfc = 0x5E
  case ble = 0xC3
}
