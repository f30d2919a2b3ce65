public import WireCoding

/// The answer to `noke.unlock`.
public struct NokeUnlockResult: VaultResult, Hashable {
  /// What opens the lock in this session, 40 hexadecimal digits.
  public var packet: String
  /// The vault's time when the packet was first made.
  public var time: Timestamp
  /// The same time in seconds since 1970.
  public var unixTime: Int64
  /// Whether that time is in the packet.
  public var embedded: Bool
  /// The voltage of the lock's battery in millivolts, as the session tells it.
  public var batteryMv: Int64
  /// The number of the pair that made it.
  public var generation: Int64
  /// What that pair is now.
  public var state: NokePairState
  /// Whether the packet was made by an earlier call of the same request.
  public var repeated: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - packet: what opens the lock in this session, 40 hexadecimal digits.
  ///   - time: the vault's time when the packet was first made.
  ///   - unixTime: the same time in seconds since 1970.
  ///   - embedded: whether that time is in the packet.
  ///   - batteryMv: the voltage of the lock's battery in millivolts, as the session tells it.
  ///   - generation: the number of the pair that made it.
  ///   - state: what that pair is now.
  ///   - repeated: whether the packet was made by an earlier call of the same request.
  ///   - seq: the audit number of the call.
  public init(
    packet: String, time: Timestamp, unixTime: Int64, embedded: Bool, batteryMv: Int64,
    generation: Int64, state: NokePairState, repeated: Bool, seq: Int64
  ) {
    self.packet = packet
    self.time = time
    self.unixTime = unixTime
    self.embedded = embedded
    self.batteryMv = batteryMv
    self.generation = generation
    self.state = state
    self.repeated = repeated
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("packet")
    writer.string(packet)
    writer.name("time")
    writer.timestamp(time)
    writer.name("unix_time")
    writer.integer(unixTime)
    writer.name("embedded")
    writer.boolean(embedded)
    writer.name("battery_mv")
    writer.integer(batteryMv)
    writer.name("generation")
    writer.integer(generation)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("repeated")
    writer.boolean(repeated)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
