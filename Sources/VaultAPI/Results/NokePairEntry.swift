public import WireCoding

/// What is known of one pair of a lock.
public struct NokePairEntry: VaultResult, Hashable {
  /// Its number, from 1.
  public var generation: Int64
  /// What it is.
  public var state: NokePairState
  /// What tells it apart, 32 hexadecimal digits.
  public var fingerprint: String
  /// When it was stored.
  public var stored: Timestamp
  /// Since when it is former.
  public var retired: Timestamp?
  /// The first second of its grant.
  public var notBefore: Timestamp?
  /// The last second of its grant.
  public var notAfter: Timestamp?
  /// Its times of the week.
  public var schedule: WeeklySchedule?
  /// Whether the lock has refused it.
  public var stale: Bool
  /// In how many sessions the lock has answered success since it is active.
  public var successes: Int64
  /// Whether it can be used now.
  public var usable: Bool
  /// Why it cannot.
  public var reason: RPCErrorCode?

  /// Makes the entry.
  ///
  /// - Parameters:
  ///   - generation: its number, from 1.
  ///   - state: what it is.
  ///   - fingerprint: what tells it apart, 32 hexadecimal digits.
  ///   - stored: when it was stored.
  ///   - retired: since when it is former.
  ///   - notBefore: the first second of its grant.
  ///   - notAfter: the last second of its grant.
  ///   - schedule: its times of the week.
  ///   - stale: whether the lock has refused it.
  ///   - successes: in how many sessions the lock has answered success since it is active.
  ///   - usable: whether it can be used now.
  ///   - reason: why it cannot.
  public init(
    generation: Int64, state: NokePairState, fingerprint: String, stored: Timestamp,
    retired: Timestamp? = nil, notBefore: Timestamp? = nil, notAfter: Timestamp? = nil,
    schedule: WeeklySchedule? = nil, stale: Bool, successes: Int64, usable: Bool,
    reason: RPCErrorCode? = nil
  ) {
    self.generation = generation
    self.state = state
    self.fingerprint = fingerprint
    self.stored = stored
    self.retired = retired
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.schedule = schedule
    self.stale = stale
    self.successes = successes
    self.usable = usable
    self.reason = reason
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("generation")
    writer.integer(generation)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("fingerprint")
    writer.string(fingerprint)
    writer.name("stored")
    writer.timestamp(stored)
    if let retired {
      writer.name("retired")
      writer.timestamp(retired)
    }
    if let notBefore {
      writer.name("not_before")
      writer.timestamp(notBefore)
    }
    if let notAfter {
      writer.name("not_after")
      writer.timestamp(notAfter)
    }
    if let schedule {
      writer.name("schedule")
      schedule.encode(into: &writer)
    }
    writer.name("stale")
    writer.boolean(stale)
    writer.name("successes")
    writer.integer(successes)
    writer.name("usable")
    writer.boolean(usable)
    writer.optional("reason", reason?.name)
    writer.endObject()
  }
}
