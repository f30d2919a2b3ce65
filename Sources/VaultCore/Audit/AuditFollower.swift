import VaultStore

/// Follows the log from a place that is believed, one batch or checkpoint after the other, and
/// believes nothing that does not follow.
struct AuditFollower {
  /// Behind what it has followed, in the segment that it is in.
  private(set) var place: AuditSegment.Place
  /// From where on the outbox has everything, in the same segment.
  private(set) var durable: AuditSegment.Place
  private let debt: AuditDebt
  private let unsealed: UnsealedLedger

  /// Starts at a place.
  init(at place: AuditSegment.Place, _ debt: AuditDebt, _ unsealed: UnsealedLedger) {
    self.place = place
    durable = place
    self.debt = debt
    self.unsealed = unsealed
  }

  /// Goes on at the beginning of the next segment.
  mutating func enterNext() {
    place.end = 0
    durable = place
  }

  /// Goes on at the end of a file that it has not followed, for a batch that was lost.
  mutating func follow(_ file: any AuditFile) throws(AuditFileError) {
    var lines = try AuditLines(file, from: place.end)
    while place.position.epoch + 1 < debt.first {
      guard let next = try next(&lines) else { return }
      place = next
      durable = next
    }
    while true {
      if let owed = debt.batch(after: place.position.epoch), try take(owed, from: file) { continue }
      guard let found = try AuditCheckpoint.at(place.end, in: file, unsealed),
        found.position == place.position
      else { return }
      // It was written only once everything before it was durable.
      durable = place
      place.pass(found)
    }
  }

  /// Whether nothing, or only what a crash may have left, stands behind what was followed.
  func isAtEnd(of file: any AuditFile) throws(AuditFileError) -> Bool {
    let rest = try file.size() - place.end
    guard rest > 0 else { return rest == 0 }
    guard rest <= max(debt.octets(after: place.position.epoch), AuditCheckpoint.longest) else {
      return false
    }
    let remnant = try file.read(at: place.end, count: Int(rest))
    return debt.mayBecome(remnant, after: place.position.epoch)
      || !place.text.isCovered
        && AuditCheckpoint.mayBecome(
          remnant, at: place.position, since: place.text.since, unsealed)
  }

  /// The place behind the next batch or checkpoint, if a whole one of this vault is next.
  private func next(
    _ lines: inout AuditLines
  ) throws(AuditFileError) -> AuditSegment.Place? {
    var chain = place.position.chain
    var text: [UInt8] = []
    while let line = try lines.next() {
      let content = Array(line.dropLast())
      text.append(contentsOf: line)
      if content.starts(with: AuditBatchSeal.prefix) {
        guard let seal = AuditBatchSeal(line: content), seal.isAuthentic(unsealed),
          seal.number == place.position.epoch + 1, seal.first == place.position.chain.sequence + 1,
          seal.last == chain.sequence, seal.head == chain.head
        else { return nil }
        var next = place
        next.pass(seal, text)
        return next
      }
      if content.starts(with: AuditCheckpoint.prefix) {
        guard let found = AuditCheckpoint(line: content), found.isOwn(unsealed),
          found.position == place.position, text.count == line.count
        else { return nil }
        var next = place
        next.pass(found)
        return next
      }
      guard chain.follow(content.span) else { return nil }
    }
    return nil
  }

  /// Goes past a batch of the outbox, if it is next in the file.
  private mutating func take(
    _ owed: AuditBatch, from file: any AuditFile
  ) throws(AuditFileError) -> Bool {
    let text = owed.exported
    guard try file.read(at: place.end, count: text.count) == text else { return false }
    place.pass(owed.seal, text)
    return true
  }
}
