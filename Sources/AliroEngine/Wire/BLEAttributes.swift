/// The attributes `id 1 ‖ length 1 ‖ value` that make up a payload which is not an APDU.
package struct BLEAttributes {
  private var values: [UInt8: [UInt8]] = [:]

  /// Reads a payload; unknown attributes are kept, and nobody asks for them.
  init(_ payload: [UInt8]) throws(Failure) {
    var offset = 0
    while offset < payload.count {
      guard payload.count - offset >= 2 else { throw Self.malformed }
      let count = Int(payload[offset + 1])
      guard count <= payload.count - offset - 2 else { throw Self.malformed }
      let value = Array(payload[offset + 2..<offset + 2 + count])
      guard values.updateValue(value, forKey: payload[offset]) == nil else { throw Self.malformed }
      offset += 2 + count
    }
  }

  /// The value of an attribute.
  subscript(_ id: UInt8) -> [UInt8]? { values[id] }

  /// Writes one attribute.
  package static func encode(_ id: UInt8, _ value: [UInt8]) -> [UInt8] {
    [id, UInt8(truncatingIfNeeded: value.count)] + value
  }

  private static let malformed = Failure.message("A notification of the reader is malformed.")
}
