import WireCoding

/// The reader's proof, checked for form alone (section 6).
struct Auth1Command: Sendable {
  /// Whether the answer names the whole credential key rather than its slot.
  let wantsPublicKey: Bool
  /// `r ‖ s`, 64 octets, not checked yet.
  let signature: [UInt8]
  /// A compressed certificate, not decoded yet.
  let certificate: [UInt8]?

  private static let rules: [CommandFields.Rule] = [
    .init(tag: 0x41, length: 1...1), .init(tag: 0x9E, length: 64...64),
    .init(tag: 0x90, length: 0...CommandChain.clearSizeLimit, isRequired: false),
  ]

  /// Reads the command's data.
  init(_ data: [UInt8]) throws(Failure) {
    let fields = try CommandFields(data, Self.rules)
    guard let parameters = fields.value(0x41).first, parameters <= 1 else {
      throw .malformed("AUTH1 asks for something that does not exist.")
    }
    wantsPublicKey = parameters == 1
    signature = fields.value(0x9E)
    certificate = fields.optional(0x90)
  }
}
