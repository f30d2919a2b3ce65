/// For how long the kernel has called its clock synchronised, as far as anybody looked.
struct SynchronisedTime {
  /// For how many seconds it must have been without a break before the clock is believed.
  static let needed: Int64 = 300

  /// The longest time between two looks, in seconds, that is not a break: who knows what was between.
  static let longestGap: Int64 = 60

  /// The first look of the time without a break, and the last one, in seconds since the machine started.
  private var looks: ClosedRange<Int64>?
  /// The wall clock's lead over the time since the machine started, at the first look.
  private var lead: Int64 = 0

  /// Looks at the clock.
  ///
  /// A clock that was set meanwhile is another one: what was seen says nothing of it.
  ///
  /// - Returns: whether it was synchronised for long enough.
  mutating func look(_ clock: any VaultClock) -> Bool {
    guard clock.isSynchronised() else {
      forget()
      return false
    }
    let boot = clock.bootSeconds()
    let (lead, overflow) = clock.wallSeconds().subtractingReportingOverflow(boot)
    if let looks, !overflow, looks.upperBound <= boot, boot - looks.upperBound <= Self.longestGap,
      (lead &- self.lead).magnitude <= UInt64(ClockFloor.slack)
    {
      self.looks = looks.lowerBound...boot
      return boot - looks.lowerBound >= Self.needed
    }
    looks = overflow ? nil : boot...boot
    self.lead = lead
    return false
  }

  /// Forgets what was seen.
  mutating func forget() { looks = nil }
}
