/// What the audit segments hold, seen from the newest on.
struct AuditSurvey {
  /// The newest segment with a batch that must be durable, and the last such batch.
  private(set) var newest: (segment: AuditSegment, seal: AuditBatchSeal)?
  /// Later segments without such a batch, the newest first.
  private(set) var unfinished: [AuditSegment] = []
  /// Segments that are not this vault's, or were changed.
  private(set) var findings: [AuditFinding] = []
  /// The last batch that any of them names, whether or not it is whole.
  private(set) var last: Int64 = 0
  /// A number that no segment has, behind the newest one.
  private(set) var free: Int64 = 1

  /// Looks at the segments; normally at the newest alone.
  init(
    _ source: any AuditSource, _ debt: AuditDebt, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) {
    let numbers = try source.numbers().sorted(by: >)
    for number in numbers where newest == nil {
      let segment = AuditSegment(number: number, file: try source.open(number))
      let (contents, named) = try segment.survey(debt, unsealed)
      last = max(last, named)
      switch contents {
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
