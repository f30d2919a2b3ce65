/// What the audit segments hold, seen from the newest on.
struct AuditSurvey {
  /// The newest segment that ends with a batch of this vault, and that batch.
  private(set) var newest: (segment: AuditSegment, seal: AuditBatchSeal)?
  /// Later segments without a whole batch, the newest first: a crash came before their first one.
  private(set) var unfinished: [AuditSegment] = []
  /// Segments that are not this vault's, or were changed.
  private(set) var findings: [AuditFinding] = []
  /// The first number that no segment has.
  private(set) var free: Int64 = 1

  /// Looks at the segments; normally at the newest alone.
  init(_ source: any AuditSource, _ unsealed: UnsealedLedger) throws(AuditFileError) {
    let numbers = try source.numbers().sorted(by: >)
    for number in numbers where newest == nil {
      let segment = AuditSegment(number: number, file: try source.open(number))
      switch try segment.survey(unsealed) {
      case .sealed(let seal): newest = (segment, seal)
      case .unfinished: unfinished.append(segment)
      case .foreign: findings.append(.foreign(segment: number))
      }
    }
    // A foreign segment with a high number must not stand in the way of the next one.
    free = (newest?.segment.number ?? 0) + 1
    while numbers.contains(free) { free += 1 }
  }
}
