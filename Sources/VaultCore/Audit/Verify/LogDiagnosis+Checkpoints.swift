import VaultCrypto

extension LogDiagnosis {
  /// A checkpoint was not made of the lines before it.
  func ofCheckpoint(_ checkpoint: AuditCheckpoint) throws(LogTextError) -> AuditFault {
    let last = before.sequence
    guard checkpoint.isSigned else {
      return here(.edited, last, "the checkpoint was changed: its signature does not hold")
    }
    guard before.isOurs(checkpoint) else {
      return here(.spliced, last, "the checkpoint is of another vault")
    }
    if try isOverruled(checkpoint) {
      return here(.spliced, last, "the checkpoint is of another history of this log")
    }
    // It is this vault's word, and the lines are what is wrong.
    if before.pending != nil {
      return here(.removed, last, "a prune record is missing before this line")
    }
    if checkpoint.sequence > last {
      return sinceAnchor(
        .removed, next, through: checkpoint.sequence,
        "the checkpoint covers lines up to \(checkpoint.sequence): as many as that are missing "
          + "before it")
    }
    guard before.isClosed else { return ofOpenBatch(checkpoint) }
    if checkpoint.sequence < last {
      return sinceAnchor(
        .inserted, checkpoint.sequence,
        "the checkpoint covers lines up to \(checkpoint.sequence) only: there are more than there "
          + "were, and the chain was made anew")
    }
    return try ofSameLine(checkpoint)
  }

  /// Whether the next checkpoint of this vault goes with the lines that this one does not go with.
  private func isOverruled(_ checkpoint: AuditCheckpoint) throws(LogTextError) -> Bool {
    guard checkpoint.sequence != before.sequence || checkpoint.head != before.head else {
      return false
    }
    var follower = before
    var reader = LogTextReader(text, from: item.next)
    while let later = try reader.next() {
      if case .checkpoint(let next) = later.kind, before.isOurs(next), next.isSigned {
        return next.sequence == follower.sequence && next.head == follower.head
      }
      guard follower.fits(later) else { return false }
      follower.advance(later)
    }
    return false
  }

  private func ofOpenBatch(_ checkpoint: AuditCheckpoint) -> AuditFault {
    guard checkpoint.sequence == before.sequence, checkpoint.head == before.head else {
      return here(
        .spliced, before.sequence, "the checkpoint is of another history of this log")
    }
    return here(.removed, before.sequence, "the closing line of the batch is missing")
  }

  /// A checkpoint of as many lines as there are.
  private func ofSameLine(_ checkpoint: AuditCheckpoint) throws(LogTextError) -> AuditFault {
    let first = min((anchor.follower.sequence) + 1, before.sequence)
    if let start = before.unprovenStart {
      let expected = BLAKE2b.hash(checkpoint.vaultID.span)
      if start.previous != expected {
        return AuditFault(
          isSimilar(start.previous, expected) ? .edited : .spliced, text.name(start.place), 1,
          "the first line does not begin the log of this vault")
      }
    }
    guard checkpoint.head == before.head else {
      return sinceAnchor(
        .edited, first, through: before.sequence,
        "the checkpoint was not made of these lines: some were changed, and the chain made anew")
    }
    if let batch = before.batch, batch != checkpoint.batch {
      return sinceAnchor(
        batch < checkpoint.batch ? .removed : .inserted, first, through: before.sequence,
        "there were \(checkpoint.batch) batches, and here there are \(batch)")
    }
    if let since = before.since, since != checkpoint.since {
      return try ofOtherCheckpoint(before: checkpoint, since)
    }
    guard before.seals.count == 1, let seal = before.seals.first else {
      return sinceAnchor(
        .edited, first, through: before.sequence,
        "the lines are those that the checkpoint covers, but a closing line was changed")
    }
    return AuditFault(.edited, text.name(seal), before.sequence, "the closing line was changed")
  }

  /// A checkpoint names another one as the one before it.
  private func ofOtherCheckpoint(
    before checkpoint: AuditCheckpoint, _ since: Int64
  ) throws(LogTextError) -> AuditFault {
    guard checkpoint.since > since else {
      return here(
        .spliced, before.sequence,
        "the checkpoint does not go on from the one before it, which is of another history")
    }
    var reader = LogTextReader(text, from: item.next)
    while let later = try reader.next() {
      if case .checkpoint(let other) = later.kind, other.sequence == checkpoint.since,
        before.isOurs(other), other.isSigned
      {
        return AuditFault(
          .reordered, text.name(try place(behindSealOf: checkpoint.since)), checkpoint.since,
          "the checkpoint of line \(checkpoint.since) stands further on")
      }
    }
    return AuditFault(
      .removed, text.name(try place(behindSealOf: checkpoint.since)), checkpoint.since,
      "the checkpoint of line \(checkpoint.since) is missing")
  }

  /// The first line behind the closing line of a line.
  private func place(behindSealOf sequence: Int64) throws(LogTextError) -> LogPlace {
    var reader = LogTextReader(text, from: anchor.place)
    while let passed = try reader.next(), passed.place < item.place {
      if case .seal(let seal) = passed.kind, seal.last == sequence { return passed.next }
    }
    return item.place
  }

  /// A prune record does not go on from the one before it.
  func ofRecord(_ record: AuditPruneRecord) -> AuditFault {
    let last = before.sequence
    guard record.isSigned else {
      return here(.edited, last, "the prune record was changed: its signature does not hold")
    }
    guard before.isOurs(record) else {
      return here(.spliced, last, "the prune record is of another vault")
    }
    guard !before.hasBegun else {
      return here(.spliced, last, "a prune record stands among the lines")
    }
    return here(.removed, last, "the prune record does not follow what stands before it")
  }
}
