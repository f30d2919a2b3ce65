/// What one call of ``AliroPresentation`` leads to.
public struct PresentationStep: Sendable {
  /// The messages to send to the reader, in this order, one each service data unit or APDU.
  public let messages: [[UInt8]]
  /// What happened, in order.
  public let events: [PresentationEvent]
  /// Where the presentation stands now.
  public let state: PresentationState
  /// The status word of the answer in ``messages``, when there is one.
  public let statusWord: UInt16?
  /// Why this step failed, when it did.
  ///
  /// A refusal in a state that is not over means that the call was not possible and changed nothing.
  public let refusal: Refusal?
  /// What must be durable before ``messages`` are sent; when that fails they must not be.
  public let changes: [PresentationChange]
  /// The reader's messages of the ranging set-up, decrypted.
  public let ranging: [RangingMessage]
  /// Milliseconds in which AUTH0 must come, while it is awaited over BLE; after that the caller
  /// disconnects, sending nothing (section 15.11).
  public let timeout: Int64?

  init(
    messages: [[UInt8]] = [], events: [PresentationEvent] = [], state: PresentationState,
    statusWord: UInt16? = nil, refusal: Refusal? = nil, changes: [PresentationChange] = [],
    ranging: [RangingMessage] = [], timeout: Int64? = nil
  ) {
    self.messages = messages
    self.events = events
    self.state = state
    self.statusWord = statusWord
    self.refusal = refusal
    self.changes = changes
    self.ranging = ranging
    self.timeout = timeout
  }
}
