import VaultCrypto

extension LogDiagnosis {
  /// A line that tells of a call does not follow, and what should stand here does not come later.
  func ofLine(_ line: LogItem.Line) throws(LogTextError) -> AuditFault {
    guard before.pending == nil else {
      return here(.removed, before.sequence, "a prune record is missing before this line")
    }
    if line.previous == before.head || isSimilar(line.previous, before.head) {
      return here(.edited, next, "the line was changed")
    }
    let isIntact = try isFollowed(line)
    if line.sequence > next, isIntact, try !isDisowned(line) {
      let last = line.sequence - 1
      return here(
        .removed, next, through: last,
        next == last ? "line \(next) is missing" : "lines \(next) to \(last) are missing")
    }
    // Both sides are whole, each by itself. Where nothing but the link speaks for the last line of
    // the one, it is that line that was changed.
    if line.sequence == next, isIntact, !before.isClosed, let last = before.lastLine {
      return AuditFault(
        .edited, text.name(last), before.sequence, "the line was changed")
    }
    return here(
      .spliced, next,
      "the line goes on from another one than stands before it: it is of another log, or of another "
        + "history of this one")
  }

  /// Whether the line behind a line goes on from it.
  private func isFollowed(_ line: LogItem.Line) throws(LogTextError) -> Bool {
    guard let follower = try peek(item.next) else { return true }
    return LogFollower(behind: line, digest: item.digest, as: before).fits(follower)
  }

  /// Whether the next checkpoint of this vault has nothing to do with the lines from this one on.
  private func isDisowned(_ line: LogItem.Line) throws(LogTextError) -> Bool {
    var follower = LogFollower(behind: line, digest: item.digest, as: before)
    var reader = LogTextReader(text, from: item.next)
    while let later = try reader.next() {
      if case .checkpoint(let checkpoint) = later.kind {
        return before.isOurs(checkpoint) && checkpoint.isSigned
          && (checkpoint.sequence != follower.sequence || checkpoint.head != follower.head)
      }
      guard follower.fits(later) else { return false }
      follower.advance(later)
    }
    return false
  }

  /// The first line behind a line with a number, looked for since the last checkpoint.
  func place(behind sequence: Int64) throws(LogTextError) -> LogPlace {
    var reader = LogTextReader(text, from: anchor.place)
    while let passed = try reader.next(), passed.place < item.place {
      if case .line(let line) = passed.kind, line.sequence == sequence { return passed.next }
    }
    return item.place
  }
}
