/// What a lock can be asked to do; the raw values are those of the RKE request (section 12).
package enum LockAction: UInt8 {
  case secure = 0
  case unsecure = 1

  /// The state that the reader reports when it has done so.
  var status: LockStatus { self == .secure ? .secured : .unsecured }

  /// The request, in clear.
  package var request: BLEMessage {
    BLEMessage(protocolNumber: 2, id: 4, payload: BLEAttributes.encode(0, [rawValue]))
  }
}
