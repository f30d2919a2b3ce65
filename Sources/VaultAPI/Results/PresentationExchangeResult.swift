public import WireCoding

/// The answer to `presentation.exchange`.
public struct PresentationExchangeResult: VaultResult, Hashable {
  /// The BLE messages to send to the reader, in order.
  public var messages: [[UInt8]]
  /// Where the session stands.
  public var state: PresentationState
  /// What the step has shown.
  public var events: [PresentationEvent]
  /// The two octets that end the newest response to the reader.
  public var statusWord: [UInt8]?
  /// Why the credential will not be presented.
  public var refusal: PresentationRefusal?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - messages: the BLE messages to send to the reader, in order.
  ///   - state: where the session stands.
  ///   - events: what the step has shown.
  ///   - statusWord: the two octets that end the newest response to the reader.
  ///   - refusal: why the credential will not be presented.
  ///   - seq: the audit number of the call.
  public init(
    messages: [[UInt8]], state: PresentationState, events: [PresentationEvent],
    statusWord: [UInt8]? = nil, refusal: PresentationRefusal? = nil, seq: Int64
  ) {
    self.messages = messages
    self.state = state
    self.events = events
    self.statusWord = statusWord
    self.refusal = refusal
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("messages")
    writer.beginArray()
    for octets in messages { writer.base64(octets) }
    writer.endArray()
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("events")
    writer.beginArray()
    for element in events { element.encode(into: &writer) }
    writer.endArray()
    if let statusWord {
      writer.name("status_word")
      writer.hex(statusWord.span)
    }
    if let refusal {
      writer.name("refusal")
      refusal.encode(into: &writer)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
