import VaultCrypto
import VaultStore

/// What of the log is to be taken away: everything up to the last line of a closed segment.
package struct ArchiveRequest: Hashable, Sendable {
  /// The number of the last line to go.
  package let through: Int64
  /// The digest of that line, 32 octets: what the caller has put away leads to it.
  package let head: [UInt8]

  /// Names a line and its digest.
  package init(through: Int64, head: [UInt8]) {
    self.through = through
    self.head = head
  }
}

extension AuditExporter {
  /// Records that the beginning of the log is taken away, durably; nothing is removed yet.
  ///
  /// One record for each segment: the segments are removed one by one, the oldest first, and
  /// whatever is left begins behind one of the records.
  ///
  /// - Returns: the digest of the checkpoint that closes what goes.
  /// - Throws: ``VaultError`` `conflict` when no closed segment ends with this line, or when its
  ///   digest is another; `damaged`, `audit_unavailable`, `storage_full`.
  func prune(_ request: ArchiveRequest, _ context: Context) throws(VaultError) -> [UInt8] {
    do {
      let closed = try closedSegments(through: request.through, context.unsealed)
      guard let last = closed.last?.checkpoint, last.sequence == request.through else {
        throw VaultError(
          .conflict, "no closed segment of the audit log ends with this line", field: "through")
      }
      guard last.head == request.head else {
        throw VaultError(
          .conflict, "the line has another digest: what was put away is not this log",
          field: "head")
      }
      try write(closed.compactMap(\.checkpoint), context)
      pruning = closed.map(\.number)
      return BLAKE2b.hash(last.line.span)
    } catch let error as VaultError {
      throw error
    } catch let error as AuditFileError {
      throw VaultError(error)
    } catch {
      throw .auditUnavailable
    }
  }

  /// Removes the segments that the last call of ``prune(_:_:)`` was for, the oldest first.
  ///
  /// - Returns: how many.
  func removePruned() throws(AuditFileError) -> Int {
    var count = 0
    while let number = pruning.first {
      try source.remove(number)
      closed[number] = nil
      pruning.removeFirst()
      count += 1
    }
    return count
  }

  /// The segments before the one that is written, as far as they begin before a line or with it, each
  /// with the checkpoint that it ends with.
  private func closedSegments(
    through line: Int64, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> [(number: Int64, checkpoint: AuditCheckpoint?)] {
    guard let current = segment?.number else { throw .cut }
    var closed: [(number: Int64, checkpoint: AuditCheckpoint?)] = []
    for number in try source.numbers() where number < current && number <= line {
      let file = try source.open(number)
      let size = try file.size()
      let found = try AuditCheckpoint.last(in: file, before: size, unsealed)
      let isLast = found.map { $0.start + Int64($0.checkpoint.line.count) == size } ?? false
      closed.append((number, isLast ? found?.checkpoint : nil))
    }
    return closed
  }

  /// Writes the records of segments that have none yet.
  private func write(
    _ checkpoints: [AuditCheckpoint], _ context: Context
  ) throws(AuditFileError) {
    let log = try AuditPruneLog(source, context.unsealed)
    let known = Set(log.entries.map(\.checkpoint))
    var since = log.entries.last?.record.sequence ?? 0
    var text: [UInt8] = []
    for checkpoint in checkpoints where !known.contains(checkpoint) {
      guard
        let record = try? AuditPruneRecord(
          checkpoint.position, since: since, digest: BLAKE2b.hash(checkpoint.line.span),
          vaultID: context.unsealed.vaultID, at: context.time, by: context.unsealed.keys.checkpoint)
      else { throw .unsigned }
      text += checkpoint.line + record.line
      since = record.sequence
    }
    guard let file = try source.pruneFile(isNew: true) else { throw .cut }
    let torn = try file.size() - Int64(log.length)
    if torn > 0 {
      // What a crash has left of a write like this one, and nothing else, may be cut off.
      let rest = try file.read(at: Int64(log.length), count: AuditCheckpoint.prefix.count)
      guard !log.isFollowedByForeign,
        zip(rest, AuditCheckpoint.prefix).allSatisfy({ $0 == $1 || $0 == 0 })
      else { throw .foreignText }
      try file.truncate(to: Int64(log.length))
    }
    if !text.isEmpty { try file.append(text) }
    try file.synchronise()
  }
}

extension VaultError {
  /// What a failure of the audit directory means to a caller.
  init(_ error: AuditFileError) {
    self =
      error.isFull
      ? .storageFull
      : VaultError(
        .auditUnavailable, "the audit directory cannot be used: \(error.words)", retry: true)
  }
}
