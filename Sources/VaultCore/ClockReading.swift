/// How late it is for the vault, at one moment.
package struct ClockReading: Hashable, Sendable {
  /// What is known of the wall clock.
  package enum Standing: String, CaseIterable, Hashable, Sendable {
    /// Nothing speaks against it.
    case certain
    /// It is behind what the vault has recorded: it may be any time later than that.
    case behind
    /// It is further ahead of what the vault has recorded than it can be taken at its word for.
    case held
  }

  /// The time that counts, Unix seconds.
  package let time: Int64
  /// What the wall clock shows, Unix seconds.
  package let wall: Int64
  /// What is known of the wall clock.
  package let standing: Standing

  /// Whether it may be later than ``time`` says.
  package var isUncertain: Bool { standing != .certain }

  /// How many seconds the wall clock is ahead of the time that counts; negative when it is behind.
  package var lead: Int64 {
    let (lead, overflow) = wall.subtractingReportingOverflow(time)
    guard overflow else { return lead }
    return wall > time ? .max : .min
  }
}
