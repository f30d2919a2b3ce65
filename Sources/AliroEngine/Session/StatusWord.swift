/// The status words of section 14 that this device answers.
enum StatusWord: UInt16 {
  case success = 0x9000
  case executionError = 0x6400
  case malformed = 0x6701
  case wrongClass = 0x6800
  case notAllowed = 0x6900
  case securityStatus = 0x6982
  case conditions = 0x6985
  case fileNotFound = 0x6A82
  case wrongParameters = 0x6A86
  case dataNotFound = 0x6A88
  case wrongState = 0x6D00
}
