public import WireCoding

/// The answer to `biqli.begin`.
public struct BiqliBeginResult: SecretResult {
  /// Where it comes from: it is new; it is the pending one; or it is new as a link or token came
  /// since, probabilistic matching is allowed no more, or the pending one was older than seven
  /// days.
  public var beginning: BiqliBeginning
  /// The event, which is the idempotency key.
  public var eventID: String
  /// The request, which is sent as a header.
  public var requestID: String
  /// The body to send, octet for octet; it may hold a bearer value.
  public var body: SecretBox
  /// The publishable key that is stored; it is public.
  public var publishableKey: String?
  /// How often it was given out by now.
  public var attempts: Int64
  /// When it was made.
  public var made: Timestamp
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - beginning: where it comes from: it is new; it is the pending one; or it is new as a link
  ///     or token came since, probabilistic matching is allowed no more, or the pending one was
  ///     older than seven days.
  ///   - eventID: the event, which is the idempotency key.
  ///   - requestID: the request, which is sent as a header.
  ///   - body: the body to send, octet for octet; it may hold a bearer value.
  ///   - publishableKey: the publishable key that is stored; it is public.
  ///   - attempts: how often it was given out by now.
  ///   - made: when it was made.
  ///   - seq: the audit number of the call.
  public init(
    beginning: BiqliBeginning, eventID: String, requestID: String, body: SecretBox,
    publishableKey: String? = nil, attempts: Int64, made: Timestamp, seq: Int64
  ) {
    self.beginning = beginning
    self.eventID = eventID
    self.requestID = requestID
    self.body = body
    self.publishableKey = publishableKey
    self.attempts = attempts
    self.made = made
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("beginning")
    writer.string(beginning.rawValue)
    writer.name("event_id")
    writer.string(eventID)
    writer.name("request_id")
    writer.string(requestID)
    writer.name("body")
    writer.string(secret: body.bytes)
    writer.optional("publishable_key", publishableKey)
    writer.name("attempts")
    writer.integer(attempts)
    writer.name("made")
    writer.string(made.description)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
