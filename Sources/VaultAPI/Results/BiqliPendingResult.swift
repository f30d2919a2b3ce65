public import WireCoding

/// The answer to `biqli.pending`.
public struct BiqliPendingResult: VaultResult, Hashable {
  /// Whether there is one.
  public var isPending: Bool
  /// The event it tells of.
  public var eventID: String?
  /// Its name.
  public var requestID: String?
  /// When it was made.
  public var made: Timestamp?
  /// How many seconds ago that was.
  public var age: Int64?
  /// How often it was given out.
  public var attempts: Int64?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - isPending: whether there is one.
  ///   - eventID: the event it tells of.
  ///   - requestID: its name.
  ///   - made: when it was made.
  ///   - age: how many seconds ago that was.
  ///   - attempts: how often it was given out.
  ///   - seq: the audit number of the call.
  public init(
    isPending: Bool, eventID: String? = nil, requestID: String? = nil, made: Timestamp? = nil,
    age: Int64? = nil, attempts: Int64? = nil, seq: Int64
  ) {
    self.isPending = isPending
    self.eventID = eventID
    self.requestID = requestID
    self.made = made
    self.age = age
    self.attempts = attempts
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("pending")
    writer.boolean(isPending)
    writer.optional("event_id", eventID)
    writer.optional("request_id", requestID)
    if let made {
      writer.name("made")
      writer.timestamp(made)
    }
    writer.optional("age", age)
    writer.optional("attempts", attempts)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
