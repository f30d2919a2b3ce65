/// One message of a transaction, explained to a person.
package struct SimulatedStep: Hashable, Sendable {
  /// Who says it.
  package enum Speaker: String, Sendable {
    case lock, device
  }

  package let speaker: Speaker
  /// What the message is called.
  package let name: String
  /// What it says, and what it proves.
  package let words: String
  /// The whole message.
  package let octets: [UInt8]
}
