public import WireCoding

/// The answer to `presentation.exchange` and `presentation.request`.
public struct PresentationStepResult: VaultResult, Hashable {
  /// The messages to send to the reader, in order.
  public var messages: [[UInt8]]
  /// Where the session stands.
  public var state: PresentationState
  /// What the step has shown.
  public var events: [PresentationEvent]
  /// The two octets that end the newest response to the reader.
  public var statusWord: [UInt8]?
  /// Why the credential will not be presented.
  public var refusal: PresentationRefusal?
  /// What the reader sent to set up ranging, decrypted, in order.
  public var ranging: [RangingMessage]
  /// In how many milliseconds the reader must begin, unless it says that it is busy.
  public var timeout: Int64?
  /// Whether the gateway is to disconnect, once the messages are sent.
  public var disconnect: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - messages: the messages to send to the reader, in order.
  ///   - state: where the session stands.
  ///   - events: what the step has shown.
  ///   - statusWord: the two octets that end the newest response to the reader.
  ///   - refusal: why the credential will not be presented.
  ///   - ranging: what the reader sent to set up ranging, decrypted, in order.
  ///   - timeout: in how many milliseconds the reader must begin, unless it says that it is busy.
  ///   - disconnect: whether the gateway is to disconnect, once the messages are sent.
  ///   - seq: the audit number of the call.
  public init(
    messages: [[UInt8]], state: PresentationState, events: [PresentationEvent],
    statusWord: [UInt8]? = nil, refusal: PresentationRefusal? = nil,
    ranging: [RangingMessage] = [], timeout: Int64? = nil, disconnect: Bool, seq: Int64
  ) {
    self.messages = messages
    self.state = state
    self.events = events
    self.statusWord = statusWord
    self.refusal = refusal
    self.ranging = ranging
    self.timeout = timeout
    self.disconnect = disconnect
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
    writer.name("ranging")
    writer.beginArray()
    for message in ranging { message.encode(into: &writer) }
    writer.endArray()
    writer.optional("timeout_ms", timeout)
    writer.name("disconnect")
    writer.boolean(disconnect)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
