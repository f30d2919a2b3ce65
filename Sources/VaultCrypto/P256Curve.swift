import COpenSSL

/// The curve P-256 (secp256r1) and the checks on what belongs to it.
@safe struct P256Curve: @unchecked Sendable {
  private static let instance = P256Curve()

  /// The group; constant after it is made, and never freed.
  let group: OpaquePointer

  /// A public key (the generator itself) that others copy the curve from.
  let model: OpenSSLKey

  private init?() {
    guard OpenSSLLibrary.isPrepared,
      let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    else { return nil }
    var point = Self.generator
    let model = unsafe point.withOctets { point, _ in unsafe latchkey_p256_import(point, nil) }
    guard let model = unsafe model else { return nil }
    unsafe self.group = unsafe group
    self.model = unsafe OpenSSLKey(owning: model)
  }

  /// The curve of the process.
  static func shared() throws(VaultCryptoError) -> P256Curve {
    guard let instance else { throw .libraryFailure(.curve) }
    return instance
  }

  /// Whether 65 octets `04 ‖ x ‖ y` are a point of the curve (SEC 1, 2.3.4).
  ///
  /// The cofactor is 1: every point of the curve but infinity, which has no such form, has the
  /// group's order, so nothing more need be checked before key agreement.
  func contains(uncompressed point: Span<UInt8>) -> Bool {
    guard point.count == 65, point[0] == 0x04, let candidate = unsafe EC_POINT_new(group) else {
      return false
    }
    defer { unsafe EC_POINT_free(candidate) }
    let isOnCurve = unsafe point.withOctets { octets, count in
      unsafe EC_POINT_oct2point(group, candidate, octets, count, nil) == 1
    }
    if !isOnCurve { OpenSSLLibrary.discardErrors() }
    return isOnCurve
  }

  /// Whether 32 big-endian octets are a number from 1 to the order less one.
  ///
  /// The time does not depend on the number, which may be a private scalar.
  static func isScalar(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == order.count else { return false }
    var borrow = 0
    var anyBit: UInt8 = 0
    for index in bytes.indices.reversed() {
      let difference = Int(bytes[index]) - Int(order[index]) - borrow
      borrow = (difference >> 8) & 1
      anyBit |= bytes[index]
    }
    return borrow == 1 && anyBit != 0
  }

  /// The order of the group, big-endian (SEC 2, 2.4.2).
  static let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
  ]

  /// The generator of the group, uncompressed (SEC 2, 2.4.2).
  static let generator: [UInt8] = [
    0x04,
    0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
    0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96,
    0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16,
    0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
  ]
}
