extension VaultWorker {
  /// Believes the wall clock, on the word of an admin.
  ///
  /// - Parameters:
  ///   - subject: who asks.
  ///   - reply: given how late it is then.
  package func acceptClock(
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: ClockReading, sequence: Int64)>
  ) {
    change(AuditEntry("clock.accept", by: subject), reply) { context throws(VaultError) in
      try context.acceptClock()
      return context.clockReading
    }
  }

  /// Sets the newest time that is taken for recorded, on the word of an admin.
  ///
  /// - Parameters:
  ///   - time: the time, Unix seconds; not later than the wall clock.
  ///   - subject: who asks.
  ///   - reply: given how late it is then.
  package func setClockFloor(
    _ time: Int64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: ClockReading, sequence: Int64)>
  ) {
    change(AuditEntry("clock.set_floor", by: subject), reply) { context throws(VaultError) in
      try context.setClockFloor(time)
      return context.clockReading
    }
  }
}
