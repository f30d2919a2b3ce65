/// What a gateway may have asked of a reader while a presentation is open.
public enum ReaderRequest: Hashable, Sendable {
  /// To open the lock.
  case unsecure
  /// To lock it.
  case secure
  /// To begin ranging.
  case initiateRanging
  /// To go on with ranging.
  case resumeRanging
  /// To take a message of the ranging set-up.
  case ranging(RangingMessage)

  /// A request by its word on the wire.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case unsecure, secure
    case initiateRanging = "initiate_ranging"
    case resumeRanging = "resume_ranging"
    case ranging
  }

  /// Its word on the wire.
  public var kind: Kind {
    switch self {
    case .unsecure: .unsecure
    case .secure: .secure
    case .initiateRanging: .initiateRanging
    case .resumeRanging: .resumeRanging
    case .ranging: .ranging
    }
  }
}
