/// The parts of a command that came so far, when it comes in several (section 2, command chaining).
struct CommandChain: Sendable {
  /// The most octets of all parts of an encrypted command together: twice the largest mailbox.
  static let sizeLimit = 8192
  /// The most octets of all parts of another command: twice the longest certificate.
  static let clearSizeLimit = 1024

  let instruction: CommandAPDU.Instruction
  private(set) var data: [UInt8]

  /// Begins with the first part.
  init(_ command: CommandAPDU) {
    instruction = command.instruction
    data = command.data
  }

  /// Adds a part; a chain that another command cuts short must not count as the command.
  mutating func append(_ command: CommandAPDU) throws(Failure) {
    guard command.instruction == instruction else {
      throw .wrongState("The reader cut a chained command short.")
    }
    data += command.data
    let isEncrypted = instruction == .exchange || instruction == .envelope
    guard data.count <= (isEncrypted ? Self.sizeLimit : Self.clearSizeLimit) else {
      throw .malformed("A chained command of the reader is too long.")
    }
  }
}
