public import WireCoding

/// The answer to `presentation.open`.
public struct PresentationOpenResult: VaultResult, Hashable {
  /// The session.
  public var presentation: PresentationID
  /// The messages to send to the reader, in order.
  public var messages: [[UInt8]]
  /// Where the session stands.
  public var state: PresentationState
  /// What the step has shown.
  public var events: [PresentationEvent]
  /// Why the credential will not be presented.
  public var refusal: PresentationRefusal?
  /// In how many milliseconds the reader must begin, unless it says that it is busy.
  public var timeout: Int64?
  /// When the session ends by itself.
  public var expires: Timestamp
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - presentation: the session.
  ///   - messages: the messages to send to the reader, in order.
  ///   - state: where the session stands.
  ///   - events: what the step has shown.
  ///   - refusal: why the credential will not be presented.
  ///   - timeout: in how many milliseconds the reader must begin, unless it says that it is busy.
  ///   - expires: when the session ends by itself.
  ///   - seq: the audit number of the call.
  public init(
    presentation: PresentationID, messages: [[UInt8]], state: PresentationState,
    events: [PresentationEvent], refusal: PresentationRefusal? = nil, timeout: Int64? = nil,
    expires: Timestamp, seq: Int64
  ) {
    self.presentation = presentation
    self.messages = messages
    self.state = state
    self.events = events
    self.refusal = refusal
    self.timeout = timeout
    self.expires = expires
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("presentation")
    writer.string(presentation.description)
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
    if let refusal {
      writer.name("refusal")
      refusal.encode(into: &writer)
    }
    writer.optional("timeout_ms", timeout)
    writer.name("expires")
    writer.timestamp(expires)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
