/// A command of the reader: `CLA INS P1 P2 [Lc data] [Le]`, short form only, since this device never
/// announces extended lengths (section 2).
struct CommandAPDU: Hashable, Sendable {
  /// The instructions that the device can name, whether or not it carries them out.
  enum Instruction: UInt8 {
    case auth0 = 0x80
    case auth1 = 0x81
    case loadCertificate = 0xD1
    case exchange = 0xC9
    case controlFlow = 0x3C
    case select = 0xA4
    case envelope = 0xC3
    case getResponse = 0xC0
    case getData = 0xCA

    /// The class octet without the chaining bit.
    var classOctet: UInt8 {
      switch self {
      case .auth0, .auth1, .loadCertificate, .exchange, .controlFlow: 0x80
      case .select, .envelope, .getResponse, .getData: 0x00
      }
    }

    /// Whether the command may come in parts (`CLA | 10`).
    var mayBeChained: Bool {
      switch self {
      case .auth0, .auth1, .loadCertificate, .exchange, .envelope: true
      case .controlFlow, .select, .getResponse, .getData: false
      }
    }
  }

  let instruction: Instruction
  /// Whether more parts of the same command follow.
  let isChained: Bool
  let p1: UInt8
  let p2: UInt8
  let data: [UInt8]
  /// How many octets GET RESPONSE asks for; `nil` when it takes what there is.
  let wanted: Int?

  /// Reads an APDU.
  ///
  /// Instruction, class, parameters and lengths are judged in this order; a failure carries the
  /// status word of section 14.
  init(_ bytes: [UInt8]) throws(Failure) {
    guard bytes.count >= 4 else { throw .malformed("A command has fewer than four octets.") }
    guard let instruction = Instruction(rawValue: bytes[1]) else {
      throw .wrongState("The reader sent an unknown command.")
    }
    self.instruction = instruction
    isChained = bytes[0] == instruction.classOctet | 0x10 && instruction.mayBeChained
    guard isChained || bytes[0] == instruction.classOctet else {
      throw Failure(
        statusWord: .wrongClass,
        refusal: Refusal(.protocolError, "A command of the reader has the wrong class."))
    }
    p1 = bytes[2]
    p2 = bytes[3]
    wanted = instruction == .getResponse && bytes.count == 5 && bytes[4] != 0 ? Int(bytes[4]) : nil
    data = wanted == nil ? try Self.data(bytes) : []
    guard data.isEmpty || instruction != .getResponse else {
      throw .malformed("The reader sent data with GET RESPONSE, which takes none.")
    }
    guard hasAllowedParameters else {
      throw Failure(
        statusWord: .wrongParameters,
        refusal: Refusal(.protocolError, "A command of the reader has wrong parameters."))
    }
  }

  /// SELECT and GET DATA are judged by what they select; every other command has zero in both.
  private var hasAllowedParameters: Bool {
    switch instruction {
    case .select: true
    case .getData: p1 == 0x7F && p2 == 0x68
    default: p1 == 0 && p2 == 0
    }
  }

  /// The data, with Lc and Le checked.
  ///
  /// Le is left out or 00 (the sources show both).
  private static func data(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    let malformed = Failure.malformed("The lengths of a command do not fit it.")
    switch bytes.count {
    case 4:
      return []
    case 5:
      guard bytes[4] == 0 else { throw malformed }
      return []
    default:
      // Lc 00 with more behind it would be the extended form.
      let count = Int(bytes[4])
      guard count > 0, bytes.count == 5 + count || (bytes.count == 6 + count && bytes.last == 0)
      else { throw malformed }
      return Array(bytes[5..<5 + count])
    }
  }
}
