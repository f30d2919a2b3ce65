/// The device's proprietary information: type 0000 and the one version it speaks (section 3).
///
/// The initiate message and SELECT's answer carry it and the salts end with it, from this one place.
package enum ProprietaryInformation {
  package static let encoded: [UInt8] = [
    0xA5, 0x08, 0x80, 0x02, 0x00, 0x00, 0x5C, 0x02, 0x01, 0x00,
  ]
  /// What SELECT of the step-up application answers, which tells no versions; no salt has it.
  static let stepUp: [UInt8] = [0xA5, 0x04, 0x80, 0x02, 0x00, 0x00]
}
