/// A message of the UWB ranging set-up (section 12, protocol 1), as it is before encryption.
///
/// The engine relays it and looks no further; the ranging key has no part in it.
public struct RangingMessage: Hashable, Sendable {
  /// The kinds of messages; the raw values are those of the wire.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case m1, m2, m3, m4
    case suspendRequest = "suspend_request"
    case suspendResponse = "suspend_response"
    case resumeRequest = "resume_request"
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
