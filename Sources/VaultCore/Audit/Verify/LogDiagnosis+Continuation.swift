extension LogDiagnosis {
  /// What leaving lines out leads to.
  enum Pursuit {
    /// Nothing fits.
    case fails
    /// All fits up to the end, and no checkpoint bears it out.
    case reachesEnd
    /// A checkpoint bears it out.
    case isProven
    /// The line in question has its place further on.
    case finds
  }

  /// Whether the log goes on behind the line, as if it, and perhaps others, were not there.
  func goesOn() throws(LogTextError) -> AuditFault? {
    for candidate in try candidates() {
      let pursuit = try pursue(candidate)
      switch pursuit {
      case .fails: continue
      case .finds:
        return here(
          .reordered, next, "the line belongs further on, and the one due here stands there")
      case .reachesEnd, .isProven:
        guard try isSurplus(pursuit) else { continue }
        // A checkpoint may bear out another reading, and outweighs one that none bears out.
        if pursuit == .reachesEnd, let fault = try wasInsertedBefore(provenOnly: true) {
          return fault
        }
        let isPiece = try isPieceOfALog(upTo: candidate.place)
        return here(
          isPiece ? .spliced : .inserted, before.sequence,
          isPiece
            ? "a piece of another log, or of another history of this one, was put in"
            : "the line does not belong here; behind it the log goes on")
      }
    }
    // The last line of all, where the log could have ended as well.
    guard before.isClosed, item.isWhole, !isAhead, try peek(item.next) == nil,
      try isSurplus(.reachesEnd)
    else { return nil }
    let isPiece = try isPieceOfALog(upTo: item.next)
    return here(
      isPiece ? .spliced : .inserted, before.sequence, "the line does not belong to the log")
  }

  /// Whether the line speaks of later lines than the one that should come.
  private var isAhead: Bool {
    switch item.kind {
    case .line(let line): line.sequence > next
    case .seal(let seal): seal.last > before.sequence
    default: false
    }
  }

  /// The first line of each kind, further on, that fits where this one stands.
  private func candidates() throws(LogTextError) -> [LogItem] {
    var found: [LogItem] = []
    var reader = LogTextReader(text, from: item.next)
    while let later = try reader.next() {
      guard before.fits(later), !found.contains(where: { $0.isOfKind(of: later) }) else { continue }
      found.append(later)
    }
    return found
  }

  /// Goes on with a line further on.
  private func pursue(_ candidate: LogItem) throws(LogTextError) -> Pursuit {
    var follower = before
    follower.advance(candidate)
    var reader = LogTextReader(text, from: candidate.next)
    let second = try peek(item.next)
    let isSingle = second?.place == candidate.place
    var isProven = candidate.isCheckpoint && before.hasBegun
    while true {
      let later = try reader.next()
      if follower.fits(item), later?.octets != item.octets {
        var other = follower
        other.advance(item)
        if (isSingle ? later : second).map({ other.fits($0) }) ?? true { return .finds }
      }
      guard let later else {
        return isProven ? .isProven : follower.isClosed ? .reachesEnd : .fails
      }
      guard follower.fits(later) else { return isProven ? .isProven : .fails }
      if later.isCheckpoint, follower.hasBegun { isProven = true }
      follower.advance(later)
    }
  }

  /// How far the log goes on from a place.
  func reach(_ start: LogFollower, _ place: LogPlace) throws(LogTextError) -> Pursuit {
    var follower = start
    var reader = LogTextReader(text, from: place)
    var isProven = false
    while let later = try reader.next() {
      guard follower.fits(later) else { return isProven ? .isProven : .fails }
      if later.isCheckpoint, follower.hasBegun { isProven = true }
      follower.advance(later)
    }
    return isProven ? .isProven : follower.isClosed ? .reachesEnd : .fails
  }

  /// Whether the line can be one too many, rather than one that was changed.
  private func isSurplus(_ pursuit: Pursuit) throws(LogTextError) -> Bool {
    switch item.kind {
    case .checkpoint(let checkpoint) where checkpoint.isSigned:
      // What the vault has signed belongs to the log, unless it is a copy.
      return before.isOurs(checkpoint) ? try hasCopy() : true
    case .pruned(let record) where record.isSigned:
      return before.isOurs(record) ? try hasCopy() : true
    case .checkpoint: return pursuit == .isProven || !isCheckpointDue
    case .other:
      return pursuit == .isProven || !isCheckpointDue || !item.resemblesCheckpoint
    case .line, .seal, .pruned: return true
    }
  }

  /// Whether a checkpoint can stand here: behind a closing line, and none stands there already.
  private var isCheckpointDue: Bool {
    before.isClosed && !(before.hasBegun && before.since == before.sequence)
  }

  /// Whether the very same line stands elsewhere too.
  private func hasCopy() throws(LogTextError) -> Bool {
    var reader = LogTextReader(text)
    while let other = try reader.next() {
      if other.octets == item.octets, other.place != item.place { return true }
    }
    return false
  }

  /// Whether the lines from this one to a place belong together, or to another vault.
  private func isPieceOfALog(upTo place: LogPlace) throws(LogTextError) -> Bool {
    var last: (sequence: Int64, digest: [UInt8])?
    var reader = LogTextReader(text, from: item.place)
    while let part = try reader.next(), part.place < place {
      switch part.kind {
      case .line(let line):
        if let last, line.sequence == last.sequence + 1, line.previous == last.digest {
          return true
        }
        last = (line.sequence, part.digest)
      case .seal(let seal):
        if let last, seal.last == last.sequence, seal.head == last.digest { return true }
      case .checkpoint(let checkpoint):
        if !before.isOurs(checkpoint), checkpoint.isSigned { return true }
      case .pruned(let record):
        if !before.isOurs(record), record.isSigned { return true }
      case .other: break
      }
    }
    return false
  }

  /// The line at a place.
  func peek(_ place: LogPlace) throws(LogTextError) -> LogItem? {
    var reader = LogTextReader(text, from: place)
    return try reader.next()
  }
}

extension LogItem {
  /// Whether it is a checkpoint, whoever has signed it.
  fileprivate var isCheckpoint: Bool {
    if case .checkpoint = kind { true } else { false }
  }

  /// Whether two lines are of the same kind.
  fileprivate func isOfKind(of other: LogItem) -> Bool {
    switch (kind, other.kind) {
    case (.line, .line), (.seal, .seal), (.checkpoint, .checkpoint), (.pruned, .pruned): true
    default: false
    }
  }
}
