package import WireCoding

/// When a pair may be used.
///
/// The pair itself carries no limit, so nobody but the vault can keep it.
package struct NokeValidity: Hashable, Sendable {
  /// Without a limit.
  package static let always = NokeValidity()

  /// The first second of the grant; `nil` when it has begun.
  package let notBefore: Timestamp?
  /// The last second of the grant; `nil` when it does not end.
  package let notAfter: Timestamp?
  /// The times of the week; `nil` for all of them.
  package let schedule: NokeSchedule?

  private init() {
    notBefore = nil
    notAfter = nil
    schedule = nil
  }

  /// Makes the limits of a grant.
  ///
  /// - Parameters:
  ///   - notBefore: its first second.
  ///   - notAfter: its last second.
  ///   - schedule: the times of the week.
  /// - Throws: ``NokeError/parameter(_:due:)`` for `not_after` when it is before `not_before`.
  package init(
    notBefore: Timestamp? = nil, notAfter: Timestamp? = nil, schedule: NokeSchedule? = nil
  ) throws(NokeError) {
    if let notBefore, let notAfter, notAfter < notBefore {
      throw .parameter("not_after", due: "a time that is not before not_before")
    }
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.schedule = schedule
  }

  /// Tells whether the grant may be used.
  ///
  /// - Parameter time: the time to judge, which the caller knows to be right.
  /// - Returns: whether it may, and if not, since or from when.
  package func standing(at time: Timestamp) -> NokeStanding {
    if let notBefore, time < notBefore { return .notYetValid(from: notBefore) }
    if let notAfter, time > notAfter { return .expired(at: notAfter) }
    guard let schedule, !schedule.contains(time.seconds) else { return .allowed }
    guard let next = Timestamp(seconds: schedule.nextStart(after: time.seconds)),
      next <= notAfter ?? .latest
    else { return .outside(next: nil) }
    return .outside(next: next)
  }
}
