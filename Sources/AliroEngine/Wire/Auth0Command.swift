package import VaultCrypto
import WireCoding

/// The reader's opening command, checked for form, version and curve (section 4).
package struct Auth0Command: Sendable {
  /// The protocol version that this device offers, 1.0.
  package static let version: [UInt8] = [0x01, 0x00]

  /// Whether the reader asks for the fast answer.
  let isFast: Bool
  /// Whether the reader demands that the user be authenticated now.
  let forcesUserAuthentication: Bool
  /// The values of tags 41 and 42, as the key derivation takes them.
  let flags: [UInt8]
  package let readerEphemeralKey: P256PublicKey
  package let transactionIdentifier: [UInt8]
  /// Group identifier, 16 octets, and sub-identifier, 16.
  package let readerIdentifier: [UInt8]
  /// The whole vendor extension element; the key derivation takes it.
  let vendorExtension: [UInt8]?

  /// The half of the reader identifier that finds the trust.
  var groupIdentifier: [UInt8] { Array(readerIdentifier.prefix(16)) }

  private static let rules: [CommandFields.Rule] = [
    .init(tag: 0x41, length: 1...1), .init(tag: 0x42, length: 1...1),
    .init(tag: 0x5C, length: 2...2), .init(tag: 0x87, length: 65...65),
    .init(tag: 0x4C, length: 16...16), .init(tag: 0x4D, length: 32...32),
    .init(tag: 0xB1, length: 0...127, isRequired: false),
  ]

  /// Reads the command's data: form first, then the version, then the curve.
  package init(_ data: [UInt8]) throws(Failure) {
    let fields = try CommandFields(data, Self.rules)
    flags = fields.value(0x41) + fields.value(0x42)
    guard flags.count == 2, flags[0] <= 1, (1...3).contains(flags[1]) else {
      throw .malformed("AUTH0 asks for something that does not exist.")
    }
    isFast = flags[0] == 1
    forcesUserAuthentication = flags[1] == 3
    guard fields.value(0x5C) == Self.version else {
      throw Failure(
        statusWord: .conditions,
        refusal: Refusal(.unsupported, "The reader chose a protocol version that was not offered."))
    }
    do {
      readerEphemeralKey = try P256PublicKey(uncompressed: fields.value(0x87).span)
    } catch {
      throw .malformed("The reader's ephemeral key is not a point of P-256.")
    }
    transactionIdentifier = fields.value(0x4C)
    readerIdentifier = fields.value(0x4D)
    vendorExtension = fields.encoding(0xB1)
  }
}
