/// The applications that a reader selects over NFC (section 3).
package enum ApplicationIdentifier {
  case expedited
  case stepUp

  /// Finds the application that a SELECT names.
  ///
  /// - Returns: `nil` when it is another one; a part of an identifier names nothing.
  init?(_ octets: [UInt8]) {
    switch octets {
    case Self.expedited.octets: self = .expedited
    case Self.stepUp.octets: self = .stepUp
    default: return nil
    }
  }

  /// Its nine octets.
  package var octets: [UInt8] {
    [0xA0, 0x00, 0x00, 0x09, 0x09, 0xAC, 0xCE, 0x55, self == .expedited ? 0x01 : 0x02]
  }

  /// What SELECT answers: `6F { 84 <AID>, A5 … }`.
  ///
  /// Versions are told in the expedited phase alone.
  package var controlInformation: [UInt8] {
    let name = [0x84, 0x09] + octets
    let proprietary =
      self == .expedited ? ProprietaryInformation.encoded : ProprietaryInformation.stepUp
    return [0x6F, UInt8(truncatingIfNeeded: name.count + proprietary.count)] + name + proprietary
  }
}
