import VaultStore

/// What the audit segments hold, and where the log goes on.
///
/// The log is believed up to its last checkpoint, whose digest is compared with the text since the
/// one before it; what comes after is followed line by line. What stands further back is for
/// `audit verify`, which reads everything.
struct AuditSurvey {
  /// The segment to go on with; `nil` when a new one is needed.
  private(set) var segment: AuditSegment?
  /// Where a new segment goes on: from here the outbox has everything.
  private(set) var fresh: AuditPosition
  /// What is wrong with the end of the log.
  private(set) var findings: [AuditFinding] = []
  /// What is wrong between the closed segments before it, for as long as it is so.
  private(set) var breaks: [AuditFinding] = []
  /// The last batch of this vault that any segment names, whether or not it is whole.
  private(set) var last: Int64 = 0

  private var segments: AuditSegments
  private let debt: AuditDebt
  private let unsealed: UnsealedLedger
  private let base: AuditBase?
  /// How far the log could be followed into each segment.
  private var followed: [Int: AuditFollower] = [:]

  /// Looks at the segments, normally at the newest alone.
  init(
    _ source: any AuditSource, _ debt: AuditDebt, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) {
    self.debt = debt
    self.unsealed = unsealed
    segments = try AuditSegments(source, unsealed)
    fresh = debt.start
    base = try segments.base(debt, unsealed)
    if let base { try judge(base) } else { judgeBeginning() }
    if let base { breaks = try segments.breaks(through: base.index) }
    // What does not follow is left alone, and the next segment comes behind what does.
    let isWhole = findings.isEmpty
    while let index = segments.numbers.indices.last {
      let isOver = try choose(index, isWhole)
      if isOver || index == base?.index { break }
      segments.dropLast()
    }
  }

  /// The number of a new segment: that of its first line, behind all that belong to the log.
  var free: Int64 {
    max(fresh.chain.sequence + 1, (segments.numbers.last ?? 0) + 1)
  }

  /// Sees whether the text before a place is what was signed, and whether it leads to the debt.
  private mutating func judge(_ base: AuditBase) throws(AuditFileError) {
    var furthest = base.place
    for index in base.index..<segments.numbers.count {
      guard let follower = try follow(to: index) else { break }
      furthest = follower.place
      if index == base.index, debt.gap(behind: follower.durable.position) == nil {
        fresh = follower.durable.position
      }
    }
    last = furthest.position.epoch
    if let gap = debt.gap(behind: furthest.position) { findings.append(gap) }
    if try !segments.isWhole(base) {
      findings.append(.foreign(segment: segments.numbers[base.index]))
    }
  }

  /// Sees whether a log of which nothing is left need not have begun yet.
  private mutating func judgeBeginning() {
    let start = segments.pruned.entries.last?.checkpoint.position
    let first = AuditPosition(epoch: 0, chain: AuditChain(vaultID: unsealed.vaultID))
    if let gap = debt.gap(behind: start ?? first) { findings.append(gap) }
  }

  /// Follows the log from ``base`` into a segment.
  ///
  /// - Returns: `nil` when it breaks off before that segment.
  private mutating func follow(to index: Int) throws(AuditFileError) -> AuditFollower? {
    if let known = followed[index] { return known }
    guard let base, index >= base.index else { return nil }
    var follower = AuditFollower(at: base.place, debt, unsealed)
    if index > base.index {
      guard let before = try follow(to: index - 1),
        try segments.file(index - 1).size() == before.place.end
      else { return nil }
      follower = before
      follower.enterNext()
    }
    try follower.follow(try segments.file(index))
    followed[index] = follower
    return follower
  }

  /// Goes on with a segment if the log leads there, or if it was begun where a new one would be.
  ///
  /// - Returns: `false` when it is none of the log.
  private mutating func choose(
    _ index: Int, _ isWhole: Bool
  ) throws(AuditFileError) -> Bool {
    let file = try segments.file(index)
    var reached: Int64 = 0
    if let follower = try follow(to: index) {
      let isAtEnd = try follower.isAtEnd(of: file)
      if isWhole && isAtEnd { return take(follower, index, file) }
      if isAtEnd && index == base?.index { return true }
      reached = follower.place.end
    }
    if reached == 0 {
      let text = try segments.text(before: index, line: fresh.chain.sequence + 1)
      var alone = AuditFollower(at: AuditSegment.Place(behind: fresh, text), debt, unsealed)
      try alone.follow(file)
      if try alone.isAtEnd(of: file) { return take(alone, index, file) }
    }
    findings.append(.strangeText(segment: segments.numbers[index], offset: reached))
    last = max(last, try AuditBatchSeal.highest(in: file, unsealed))
    return reached > 0
  }

  private mutating func take(
    _ follower: AuditFollower, _ index: Int, _ file: any AuditFile
  ) -> Bool {
    segment = AuditSegment(
      number: segments.numbers[index], file: file, at: follower.place, durable: follower.durable)
    return true
  }
}
