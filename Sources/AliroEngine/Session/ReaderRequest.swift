/// What the caller may ask of a reader that has accepted the credential.
public enum ReaderRequest: Hashable, Sendable {
  /// Open the lock.
  case unsecure
  /// Close the lock.
  case secure
  /// Begin ranging; the reader must have had the ranging key made.
  case initiateRanging
  /// Go on with ranging that was set up in this presentation.
  case resumeRanging
  /// A message of the ranging set-up.
  case ranging(RangingMessage)
}
