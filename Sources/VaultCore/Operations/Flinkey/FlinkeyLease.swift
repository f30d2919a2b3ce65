import WireCoding

/// A step of a renewal that one caller has in hand.
struct FlinkeyLease: Hashable, Sendable {
  /// How many octets its identifier has.
  static let identifierLength = 16

  /// Made by chance.
  let id: [UInt8]
  let step: FlinkeyStep
  /// The user that it was given to.
  let uid: UInt32
  /// The second from which on it is nobody's, Unix seconds.
  let expires: Int64

  /// Whether it is still somebody's; one that ends later than any could is from a clock that was wrong.
  func isHeld(at now: Int64) -> Bool {
    expires > now && expires - now <= FlinkeyLimits.lease.upperBound
  }

  /// How many octets ``write(_:into:)`` writes.
  static func size(_ lease: FlinkeyLease?) -> Int { lease == nil ? 1 : 30 }

  /// Writes what is or is not there: `0`, or `1 ‖ id 16 ‖ step 1 ‖ uid 4 ‖ expires 8`.
  static func write(_ lease: FlinkeyLease?, into writer: inout RecordWriter) {
    writer.integer(lease == nil ? 0 : 1, octets: 1)
    guard let lease else { return }
    writer.append(lease.id.span)
    writer.integer(UInt64(lease.step.code), octets: 1)
    writer.integer(UInt64(lease.uid), octets: 4)
    writer.integer(lease.expires)
  }

  static func read(_ reader: inout ByteReader) throws(WireCodingError) -> FlinkeyLease? {
    try reader.optional { reader throws(WireCodingError) in
      let id = try reader.bytes(identifierLength)
      guard let step = FlinkeyStep(code: try reader.uint8()) else {
        throw .truncated(offset: reader.offset)
      }
      let uid = try reader.uint32()
      return FlinkeyLease(id: id, step: step, uid: uid, expires: try reader.int64())
    }
  }
}
