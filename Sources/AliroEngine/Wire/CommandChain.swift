/// The parts of a command that came so far, when it comes in several (section 2, command chaining).
struct CommandChain: Sendable {
  /// The most octets of all parts together: twice the longest certificate.
  static let sizeLimit = 1024

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
    guard data.count <= Self.sizeLimit else {
      throw .malformed("A chained command of the reader is too long.")
    }
  }
}
