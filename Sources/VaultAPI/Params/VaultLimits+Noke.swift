extension VaultLimits {
  /// The most octets of a request's identifier.
  public static let requestIdOctets = 64
  /// The most windows of a schedule.
  public static let weeklyWindows = 32
  /// The octets of the text of a window: one day, or all of them.
  public static let weeklyWindowOctets = 15...39
}
