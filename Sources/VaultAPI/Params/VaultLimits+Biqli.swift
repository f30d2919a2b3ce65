/// The limits of what is kept for Biqli.
extension VaultLimits {
  /// The characters of the name of an app.
  public static let biqliAppID = 35...35
  /// The characters of a publishable key.
  public static let biqliPublishableKey = 80...80
  /// The octets of the marker of an installation.
  public static let biqliMarkerOctets = 16...64
  /// The most octets of a link.
  public static let biqliLinkOctets = 8_192
  /// The octets of a handoff token.
  public static let biqliTokenOctets = 48...48
  /// The characters of a domain, outer dots included.
  public static let biqliDomain = 1...255
  /// The characters of the version of an app, a system or an SDK.
  public static let biqliVersion = 1...64
  /// The characters of the name of an event.
  public static let biqliEventID = 37...37
  /// The most octets of an answer of the service.
  public static let biqliResultOctets = 65_536
  /// The HTTP statuses of a refusal.
  public static let biqliStatuses: ClosedRange<Int64> = 300...599
  /// The characters of the code of a refusal.
  public static let biqliCode = 1...64
}
