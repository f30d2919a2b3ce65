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
  /// The second in which it was given, Unix seconds.
  let begun: Int64
  /// The second from which on it is nobody's, Unix seconds.
  let expires: Int64
  /// The digest of the token that the step was given, none with the first one.
  let input: [UInt8]

  /// Whether it is still somebody's; one that ends later than any could is from a clock that was wrong.
  func isHeld(at now: Int64) -> Bool {
    expires > now && expires - now <= FlinkeyLimits.lease.upperBound
  }

  /// How many octets ``write(_:into:)`` writes.
  static func size(_ lease: FlinkeyLease?) -> Int { lease.map { 39 + $0.input.count } ?? 1 }

  /// Writes what is or is not there: `0`, or `1 ‖ id 16 ‖ step 1 ‖ uid 4 ‖ begun 8 ‖ expires 8 ‖
  /// length of the digest 1 ‖ digest 0 or 32`; it ends after it was begun, no later than a lease may.
  static func write(_ lease: FlinkeyLease?, into writer: inout RecordWriter) {
    writer.integer(lease == nil ? 0 : 1, octets: 1)
    guard let lease else { return }
    writer.append(lease.id.span)
    writer.integer(UInt64(lease.step.code), octets: 1)
    writer.integer(UInt64(lease.uid), octets: 4)
    writer.integer(lease.begun)
    writer.integer(lease.expires)
    writer.integer(UInt64(lease.input.count), octets: 1)
    writer.append(lease.input.span)
  }

  static func read(_ reader: inout ByteReader) throws(WireCodingError) -> FlinkeyLease? {
    try reader.optional { reader throws(WireCodingError) in
      let id = try reader.bytes(identifierLength)
      guard let step = FlinkeyStep(code: try reader.uint8()) else {
        throw .truncated(offset: reader.offset)
      }
      let uid = try reader.uint32()
      let begun = try reader.int64()
      let expires = try reader.int64()
      guard begun >= 0, expires > begun, expires - begun <= FlinkeyLimits.lease.upperBound else {
        throw .truncated(offset: reader.offset)
      }
      let input = try reader.bytes(Int(try reader.uint8()))
      guard input.count == (step == .apiToken ? 0 : 32) else {
        throw .truncated(offset: reader.offset)
      }
      return FlinkeyLease(
        id: id, step: step, uid: uid, begun: begun, expires: expires, input: input)
    }
  }
}
