public import WireCoding

/// The answer to `clock.accept` and to `clock.set_floor`.
public struct ClockResult: VaultResult, Hashable {
  /// The time the vault goes by now.
  public var clock: Timestamp
  /// What it makes of the machine's clock now.
  public var clockState: ClockState
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - clock: the time the vault goes by now.
  ///   - clockState: what it makes of the machine's clock now.
  ///   - seq: the audit number of the call.
  public init(clock: Timestamp, clockState: ClockState, seq: Int64) {
    self.clock = clock
    self.clockState = clockState
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("clock")
    writer.timestamp(clock)
    writer.name("clock_state")
    writer.string(clockState.rawValue)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
