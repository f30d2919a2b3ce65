/// What both sides of a transaction sign (section 6), written by the harness for itself.
struct Transcript: Hashable {
  var readerIdentifier: [UInt8]
  var deviceX: [UInt8]
  var readerX: [UInt8]
  var transactionIdentifier: [UInt8]

  var reader: [UInt8] { octets([0x41, 0x5D, 0x95, 0x69]) }
  var device: [UInt8] { octets([0x4E, 0x88, 0x7B, 0x4C]) }

  private func octets(_ usage: [UInt8]) -> [UInt8] {
    let fields: [(UInt8, [UInt8])] = [
      (0x4D, readerIdentifier), (0x86, deviceX), (0x87, readerX), (0x4C, transactionIdentifier),
      (0x93, usage),
    ]
    return fields.reduce(into: []) { $0 += [$1.0, UInt8(clamping: $1.1.count)] + $1.1 }
  }
}
