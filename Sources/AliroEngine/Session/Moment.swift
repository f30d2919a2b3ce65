public import WireCoding

/// When something happens, by both clocks that matter.
public struct Moment: Hashable, Sendable {
  /// The vault's time; certificates and passes are judged by it.
  public let time: Timestamp
  /// Milliseconds since the machine started; timers run by it.
  public let uptime: Int64

  /// Makes a moment.
  ///
  /// - Parameters:
  ///   - time: the vault's time.
  ///   - uptime: milliseconds since the machine started, never running backwards.
  public init(time: Timestamp, uptime: Int64) {
    self.time = time
    self.uptime = uptime
  }
}
