extension LogDiagnosis {
  /// Whether lines before this one, which fit where they stand, are what was put in: without them this
  /// one fits, and what comes behind it does.
  ///
  /// Whoever makes a line with the number and the digest that are due needs no key for it.
  ///
  /// - Parameter provenOnly: whether a checkpoint has to bear it out.
  /// - Returns: the fault, `nil` when it is another one.
  /// - Throws: ``LogTextError`` when a file cannot be read again.
  func wasInsertedBefore(provenOnly: Bool = false) throws(LogTextError) -> AuditFault? {
    var found: (place: LogPlace, sequence: Int64)?
    var follower = anchor.follower
    var reader = LogTextReader(text, from: anchor.place)
    while let passed = try reader.next(), passed.place < item.place {
      // The last place: no more lines than it takes.
      if follower.fits(item), try leadsOn(follower, provenOnly) {
        found = (passed.place, follower.sequence)
      }
      if closes(passed), try leadsOn(follower, provenOnly, from: passed.place) {
        return inserted(at: passed.place, follower.sequence, "closing lines")
      }
      follower.advance(passed)
    }
    return found.map { inserted(at: $0.place, $0.sequence, "lines") }
  }

  private func inserted(at place: LogPlace, _ sequence: Int64, _ what: String) -> AuditFault {
    AuditFault(
      .inserted, text.name(place), sequence,
      "\(what) that fit here do not belong to the log: without them line \(item.place.line) of "
        + "\(text.name(item.place).file) fits")
  }

  /// Whether a line closes a part of the batch that the line in question closes.
  private func closes(_ passed: LogItem) -> Bool {
    guard case .seal(let seal) = item.kind, case .seal(let part) = passed.kind else { return false }
    return part.number == seal.number && part.first == seal.first && part.last < seal.last
  }

  /// Whether the log goes on with the line in question.
  private func leadsOn(
    _ start: LogFollower, _ provenOnly: Bool
  ) throws(LogTextError) -> Bool {
    var follower = start
    follower.advance(item)
    switch try reach(follower, item.next) {
    case .isProven: return true
    case .reachesEnd: return !provenOnly
    case .fails, .finds:
      // Something else may be wrong further on. A line is named by the one behind it; a closing line
      // with another MAC fits as well as the right one.
      if case .seal = item.kind { return false }
      guard !provenOnly, let next = try peek(item.next) else { return false }
      return follower.fits(next)
    }
  }

  /// Whether the log goes on with the line in question when the closing lines between a place and it
  /// are left out.
  private func leadsOn(
    _ start: LogFollower, _ provenOnly: Bool, from place: LogPlace
  ) throws(LogTextError) -> Bool {
    var follower = start
    var reader = LogTextReader(text, from: place)
    while let passed = try reader.next(), passed.place < item.place {
      if case .seal = passed.kind { continue }
      guard follower.fits(passed) else { return false }
      follower.advance(passed)
    }
    return follower.fits(item) ? try leadsOn(follower, provenOnly) : false
  }
}
