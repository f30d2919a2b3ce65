/// A place in the segments from which the log is followed.
struct AuditBase {
  /// Which segment it is in.
  let index: Int
  /// The place.
  let place: AuditSegment.Place
  /// The checkpoint in front of it, and where that begins; `nil` at the beginning of a segment.
  let checkpoint: (AuditCheckpoint, start: Int64)?
}

extension AuditSegments {
  /// The newest place that this vault vouches for: behind a checkpoint or, in a log that has none
  /// at all yet, before a segment's first batch.
  mutating func base(
    _ debt: AuditDebt, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> AuditBase? {
    for index in numbers.indices.reversed() {
      let file = try file(index)
      guard let (found, start) = try AuditCheckpoint.last(in: file, before: file.size(), unsealed)
      else { continue }
      var place = AuditSegment.Place(behind: found.position, AuditText(behind: found))
      place.end = start + Int64(found.line.count)
      return AuditBase(index: index, place: place, checkpoint: (found, start))
    }
    for index in numbers.indices.reversed() {
      guard let start = try AuditFollower.beginning(of: try file(index), debt, unsealed) else {
        continue
      }
      let text = try text(before: index, line: start.chain.sequence + 1)
      return AuditBase(
        index: index, place: AuditSegment.Place(behind: start, text), checkpoint: nil)
    }
    return nil
  }

  /// Whether the text before a place is the one that its checkpoint covers.
  mutating func isWhole(_ base: AuditBase) throws(AuditFileError) -> Bool {
    guard let (checkpoint, start) = base.checkpoint else { return true }
    let text = try text(before: Place(index: base.index, offset: start))
    return text.digest == checkpoint.digest && text.since == checkpoint.since
  }
}

extension AuditFollower {
  /// The position before the first batch of a segment, if that is one of this vault that must be
  /// durable.
  static func beginning(
    of file: any AuditFile, _ debt: AuditDebt, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> AuditPosition? {
    var lines = try AuditLines(file, from: 0)
    guard let first = try lines.next(), let before = AuditChain(before: first) else { return nil }
    var chain = before
    var next: [UInt8]? = first
    while let line = next {
      let content = Array(line.dropLast())
      if let seal = AuditBatchSeal(line: content) {
        let isOurs =
          seal.number < debt.first && seal.first == before.sequence + 1
          && seal.last == chain.sequence && seal.head == chain.head && seal.isAuthentic(unsealed)
        return isOurs ? AuditPosition(epoch: seal.number - 1, chain: before) : nil
      }
      guard chain.follow(content.span) else { return nil }
      next = try lines.next()
    }
    return nil
  }
}

extension AuditBatchSeal {
  /// How far back in a segment that is not followed closing lines are looked for.
  private static let window: Int64 = 4 << 20

  /// The highest batch of this vault that the end of a segment names, zero for none.
  static func highest(
    in file: any AuditFile, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> Int64 {
    var highest: Int64 = 0
    var lines = try AuditLines(file, from: max(0, try file.size() - window))
    while let line = try lines.next() {
      guard let seal = AuditBatchSeal(line: Array(line.dropLast())), seal.number > highest,
        seal.isAuthentic(unsealed)
      else { continue }
      highest = seal.number
    }
    return highest
  }
}
