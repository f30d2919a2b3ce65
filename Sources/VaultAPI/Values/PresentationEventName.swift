/// What a step of a presentation has shown.
public enum PresentationEventName: String, CaseIterable, Hashable, Sendable {
  /// The reader proved who it is.
  case readerAuthenticated = "reader_authenticated"
  /// The credential was shown to the reader.
  case credentialPresented = "credential_presented"
  /// The reader closed the access protocol.
  case accessProtocolCompleted = "access_protocol_completed"
  /// The reader grants access.
  case accessGranted = "access_granted"
  /// The reader denies access.
  case accessDenied = "access_denied"
  /// The reader told the state of the lock.
  case status
  /// The reader is busy.
  case busy
  /// The reader reports an error.
  case error
  /// The session has failed.
  case failed
}
