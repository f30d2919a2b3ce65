/// A message of the UWB ranging set-up (section 12, protocol 1), as it is before encryption.
///
/// The engine relays it and looks no further; the ranging key has no part in it.
public struct RangingMessage: Hashable, Sendable {
  /// The kinds of messages; the raw values are those of the wire.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The first of the four messages that set ranging up.
    case m1
    /// The second.
    case m2
    /// The third.
    case m3
    /// The fourth.
    case m4
    /// Asks that ranging pause.
    case suspendRequest = "suspend_request"
    /// Answers that.
    case suspendResponse = "suspend_response"
    /// Asks that ranging go on.
    case resumeRequest = "resume_request"
    /// Answers that.
    case resumeResponse = "resume_response"
  }

  /// Which message it is.
  public let kind: Kind
  /// Its payload.
  public let payload: [UInt8]

  /// Makes a message.
  ///
  /// - Parameters:
  ///   - kind: which message it is.
  ///   - payload: its payload.
  public init(_ kind: Kind, payload: [UInt8]) {
    self.kind = kind
    self.payload = payload
  }
}
