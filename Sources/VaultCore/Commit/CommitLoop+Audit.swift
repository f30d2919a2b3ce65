import Synchronization
import VaultStore
import WireCoding

/// Where the committer's audit log goes, and how it is cut.
struct AuditParts {
  /// The segments.
  var source: any AuditSource
  /// After how many octets a segment is closed.
  var segmentSize: Int64 = VaultSettings.standardSegmentSize
  /// How many lines the segments may be behind before calls are refused.
  var backlog: Int64 = VaultSettings.standardBacklog
  /// Where the newest checkpoint is kept besides.
  var anchor: (any CheckpointAnchor)?
}

extension CommitLoop {
  /// How many milliseconds of lines one checkpoint covers at most, while lines come in.
  private static let checkpointEvery: Int64 = 1_000

  /// What the log is written with; `nil` while sealed.
  var auditContext: AuditExporter.Context? {
    ledger.unsealed.map {
      AuditExporter.Context(
        writer: writer, unsealed: $0, time: Timestamp(clamping: floor.now(clock)))
    }
  }

  /// Appends what is durable in the database to the segment.
  func export(_ batch: CommitBatch) {
    guard !batch.committed.isEmpty, let context = auditContext else { return }
    sealedTime = []
    exporter.export(batch.committed, context)
    publishAudit()
  }

  /// Makes a checkpoint, if the last one is a second old.
  func checkpointIfDue() {
    let now = clock.bootMilliseconds()
    if let last = lastCheckpoint, now - last < Self.checkpointEvery { return }
    checkpoint()
  }

  /// Makes a checkpoint of all lines that none covers yet.
  ///
  /// - Returns: the one that the log ends with, `nil` when it could not be written.
  @discardableResult
  func checkpoint() -> AuditCheckpoint? {
    guard doubt == nil else { return nil }
    if let context = auditContext { exporter.catchUp(context) }
    // What is wrong is told before anything else is vouched for.
    exporter.watch()
    recordFindings()
    guard let context = auditContext else { return nil }
    // One that fails is tried again as late as one that succeeds.
    lastCheckpoint = clock.bootMilliseconds()
    let made = exporter.checkpoint(context)
    publishAudit()
    return made
  }

  /// Ends the log before the keys go.
  func closeLog() {
    checkpoint()
    lastCheckpoint = nil
  }

  /// Tells how the log stands, and keeps a new checkpoint in the other places as well.
  func publishAudit() {
    publishLag()
    let made = exporter.takeCheckpoint()
    let trouble = exporter.trouble
    shared.status.withLock { status in
      status.segmentTrouble = trouble
      if let made { status.checkpoint = made.sequence }
    }
    guard let made else { return }
    shared.meter.checkpointed.store(clock.bootMilliseconds(), ordering: .relaxed)
    keep(made)
  }

  private func keep(_ checkpoint: AuditCheckpoint) {
    shared.announce(checkpoint)
    guard let anchor else { return }
    var trouble: AuditFileError?
    do throws(AuditFileError) { try anchor.write(checkpoint.line) } catch { trouble = error }
    let found = trouble
    shared.status.withLock { $0.anchorTrouble = found }
  }

  /// Tells of damage to the audit log that was found while it was written, and records it.
  func recordFindings() {
    if let error = exporter.contradiction {
      sealKeys()
      report([error.message])
      return commit(AuditEntry.damage([error.message]).map { .note($0) })
    }
    let words = exporter.findings.map(\.words)
    guard !words.isEmpty else { return }
    report(words)
    // Their lines wait until there is room for them.
    guard restriction == nil else { return }
    _ = exporter.takeFindings()
    commit(AuditEntry.damage(words).map { .note($0) })
  }
}
