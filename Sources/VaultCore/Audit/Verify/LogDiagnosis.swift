import VaultCrypto
import WireCoding

/// Tells what happened to a log where a line does not fit the ones before it.
///
/// It tries other readings of the same text: had the line stood elsewhere, had it not been there,
/// or had another one been changed, would everything fit? What each rule asks for is named in
/// `latchkey-audit(5)`, so that another verifier can come to the same result.
struct LogDiagnosis {
  let text: any LogText
  /// What is settled before the line.
  let before: LogFollower
  /// The line that does not fit.
  let item: LogItem
  /// The last checkpoint before, or the beginning.
  let anchor: LogAnchor

  /// The fault.
  ///
  /// - Throws: ``LogTextError`` when a file cannot be read again.
  func fault() throws(LogTextError) -> AuditFault {
    if item.isTooLong {
      return here(
        .edited, next,
        "the line is longer than any that a vault writes; what stands behind it was not looked at")
    }
    if let fault = torn() { return fault }
    if let fault = try movedBack() { return fault }
    if let fault = try goesOn() { return fault }
    if let fault = try closingIsSurplus() { return fault }
    if let fault = try wasInsertedBefore() { return fault }
    return switch item.kind {
    case .line(let line): try ofLine(line)
    case .seal(let seal): try ofSeal(seal)
    case .checkpoint(let checkpoint): try ofCheckpoint(checkpoint)
    case .pruned(let record): ofRecord(record)
    case .other: here(.edited, next, "the line is none that a vault writes")
    }
  }

  /// The number of the line that should come.
  var next: Int64 { before.sequence + 1 }

  /// A fault of the line itself.
  func here(
    _ kind: AuditFault.Kind, _ sequence: Int64, through last: Int64? = nil, _ words: String
  ) -> AuditFault {
    AuditFault(kind, text.name(item.place), sequence, through: last, words)
  }

  /// A fault of one of the lines since the last checkpoint.
  func sinceAnchor(
    _ kind: AuditFault.Kind, _ sequence: Int64, through last: Int64? = nil, _ words: String
  ) -> AuditFault {
    AuditFault(
      kind, text.name(item.place), sequence, through: last, since: text.name(anchor.place), words)
  }

  /// A file ends within a line.
  private func torn() -> AuditFault? {
    guard !item.isWhole else { return nil }
    if before.fits(item.withoutLast) {
      return here(.edited, next, "the line feed at the end was changed")
    }
    guard item.place.file == text.files.count - 1 else {
      return here(.removed, next, "the end of the file is missing from within this line on")
    }
    return here(
      .tailLost, next,
      "the log ends within a line: its end was lost, or the file was copied while the vault was "
        + "writing")
  }

  /// A closing line or a checkpoint, perhaps with what follows it, stands behind where it belongs.
  private func movedBack() throws(LogTextError) -> AuditFault? {
    switch item.kind {
    case .seal, .checkpoint, .pruned: break
    case .line, .other: return nil
    }
    var follower = anchor.follower
    var reader = LogTextReader(text, from: anchor.place)
    while let passed = try reader.next(), passed.place < item.place {
      if follower.fits(item), try fitsAhead(of: passed.place, follower) {
        return AuditFault(
          .reordered, text.name(passed.place), next,
          "line \(item.place.line) of \(text.name(item.place).file) belongs before this one")
      }
      follower.advance(passed)
    }
    return nil
  }

  /// Whether all fits when the line in question and up to seven behind it stand before a place.
  private func fitsAhead(
    of place: LogPlace, _ start: LogFollower
  ) throws(LogTextError) -> Bool {
    var follower = start
    var reader = LogTextReader(text, from: item.place)
    for _ in 0..<8 {
      guard let moved = try reader.next(), follower.fits(moved) else { return false }
      follower.advance(moved)
      if try fits(from: place, then: moved.next, follower) { return true }
    }
    return false
  }

  /// Whether the lines from a place up to the one in question fit, and then the one at another place.
  private func fits(
    from place: LogPlace, then next: LogPlace, _ start: LogFollower
  ) throws(LogTextError) -> Bool {
    var follower = start
    var reader = LogTextReader(text, from: place)
    while let passed = try reader.next(), passed.place < item.place {
      guard follower.fits(passed) else { return false }
      follower.advance(passed)
    }
    return try peek(next).map { follower.fits($0) } ?? follower.isClosed
  }

  /// The checkpoint before, taken for the closing line of a segment that was removed, does not belong
  /// where it stands.
  private func closingIsSurplus() throws(LogTextError) -> AuditFault? {
    guard before.pending != nil else { return nil }
    var follower = LogFollower(key: before.key, vaultID: before.vaultID)
    var closing: LogItem?
    var reader = LogTextReader(text)
    while let passed = try reader.next(), passed.place < item.place {
      if let closing { follower.advance(closing) }
      closing = passed
    }
    guard let closing, follower.fits(item) else { return nil }
    return try LogDiagnosis(text: text, before: follower, item: closing, anchor: anchor).goesOn()
  }

  /// Whether two digests are one digest with a few digits changed, rather than two.
  func isSimilar(_ one: [UInt8], _ other: [UInt8]?) -> Bool {
    guard let other else { return false }
    let digits = zip(Hex.encode(one.span).utf8, Hex.encode(other.span).utf8)
    return digits.count { $0 == $1 } >= 32
  }
}
