import Synchronization

/// What the committer's thread counts of its own work, for all to read.
final class CommitMeter: Sendable {
  /// The items of each batch that became durable.
  let batchSizes = Histogram(bounds: Histogram.batches)
  /// How long each such batch took, from the first item to the return of COMMIT, in nanoseconds.
  let durations = Histogram(bounds: Histogram.durations)
  /// Batches that did not become durable.
  let failures = Atomic<UInt64>(0)
  /// Lines that the segment does not hold yet.
  let unexportedLines = Atomic<Int64>(0)
  /// Lines that power loss could take from the segment; the database has them.
  let unsynchronisedLines = Atomic<Int64>(0)
  /// Octets of the segment that power loss could take.
  let unsynchronisedOctets = Atomic<Int64>(0)
  /// When the newest checkpoint of this run was made, boot-time milliseconds; zero before the first.
  let checkpointed = Atomic<Int64>(0)
  /// Whether the space for a full disk is held.
  let isReserveHeld = Atomic(true)

  /// Notes a batch that became durable.
  func committed(_ items: Int, in watch: Stopwatch) {
    batchSizes.note(UInt64(items))
    durations.note(watch.nanoseconds)
  }
}
