import Synchronization

/// What a vault tells those who watch it; numbers alone.
package struct VaultReading: Sendable {
  /// Whether the keys are in memory.
  package let isUnsealed: Bool
  /// Whether audit lines can be made durable.
  package let isAuditAvailable: Bool
  /// The number of the last durable audit line.
  package let auditSequence: Int64
  /// Lines that the audit segment does not hold yet; the database has them.
  package let unexportedLines: Int64
  /// Lines that power loss could take from the segment; the database has them.
  package let unsynchronisedLines: Int64
  /// Octets of the segment that power loss could take.
  package let unsynchronisedOctets: Int64
  /// Lines that could not be written yet, and that nobody waits for.
  package let owedLines: Int
  /// Whether the segments are written as they should be.
  package let isSegmentGood: Bool
  /// Whether the newest checkpoint is kept at the anchor, if there is one.
  package let isAnchorGood: Bool
  /// Lines that the newest checkpoint of this run does not cover; `nil` before the first.
  package let uncheckpointedLines: Int64?
  /// Milliseconds since the newest checkpoint of this run; `nil` before the first.
  package let checkpointAge: Int64?
  /// The sizes of the batches that became durable.
  package let batchSizes: Histogram.Reading
  /// How long those batches took, in nanoseconds.
  package let commitDurations: Histogram.Reading
  /// Batches that did not become durable.
  package let failedCommits: UInt64
  /// How full the cache of namespaces is, and how often it was of use.
  package let cache: CacheReading
  /// Presentations under way.
  package let presentations: Int
  /// Attempts to unseal that failed.
  package let unsealFailures: UInt64
  /// Erasures that wait for a truncating checkpoint of the database's log.
  package let erasuresPending: Int64
  /// Whether the disk space for what takes away is held.
  package let isReserveHeld: Bool
  /// How many findings of damage there are.
  package let damage: Int
  /// Whether it is not certain how late it is.
  package let isClockUncertain: Bool
}

extension Vault {
  /// What there is to tell now; cheap enough for any thread.
  package var reading: VaultReading {
    let status = committer.status
    let meter = committer.meter
    return VaultReading(
      isUnsealed: isUnsealed, isAuditAvailable: status.isAvailable, auditSequence: status.sequence,
      unexportedLines: meter.unexportedLines.load(ordering: .relaxed),
      unsynchronisedLines: meter.unsynchronisedLines.load(ordering: .relaxed),
      unsynchronisedOctets: meter.unsynchronisedOctets.load(ordering: .relaxed),
      owedLines: owed.count, isSegmentGood: status.segmentTrouble == nil,
      isAnchorGood: status.anchorTrouble == nil,
      uncheckpointedLines: status.checkpoint.map { status.sequence - $0 },
      checkpointAge: checkpointAge(meter),
      batchSizes: meter.batchSizes.reading, commitDurations: meter.durations.reading,
      failedCommits: meter.failures.load(ordering: .relaxed), cache: cache.reading,
      presentations: presentations.openCount, unsealFailures: unsealing.failureCount,
      erasuresPending: status.erasurePending,
      isReserveHeld: meter.isReserveHeld.load(ordering: .relaxed), damage: status.damage.count,
      isClockUncertain: committer.clockReading.isUncertain)
  }

  private func checkpointAge(_ meter: CommitMeter) -> Int64? {
    let made = meter.checkpointed.load(ordering: .relaxed)
    return made > 0 ? clock.bootMilliseconds() - made : nil
  }
}
