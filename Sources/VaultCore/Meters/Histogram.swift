/// Values counted by how large they are, from any thread and without a lock.
package final class Histogram: Sendable {
  /// What a histogram showed at some moment.
  package struct Reading: Hashable, Sendable {
    /// The largest value of each bucket but the last, ascending.
    package let bounds: [UInt64]
    /// The values in each bucket; one more than ``bounds``, for those above all of them.
    package let counts: [UInt64]
    /// The sum of all values.
    package let sum: UInt64

    /// Adds what another histogram of the same bounds showed.
    package static func + (left: Reading, right: Reading) -> Reading {
      Reading(
        bounds: left.bounds, counts: zip(left.counts, right.counts).map { $0 &+ $1 },
        sum: left.sum &+ right.sum)
    }
  }

  private let bounds: [UInt64]
  /// The buckets, then the sum.
  private let counters: CounterBlock

  /// Makes an empty histogram.
  ///
  /// - Parameter bounds: the largest value of each bucket, ascending.
  package init(bounds: [UInt64]) {
    self.bounds = bounds
    counters = CounterBlock(count: bounds.count + 2)
  }

  /// Counts a value.
  package func note(_ value: UInt64) {
    counters.add(1, at: bounds.firstIndex { value <= $0 } ?? bounds.count)
    counters.add(value, at: bounds.count + 1)
  }

  /// What it shows now.
  package var reading: Reading {
    var counts = counters.all
    let sum = counts.removeLast()
    return Reading(bounds: bounds, counts: counts, sum: sum)
  }

  /// Bounds for durations in nanoseconds, from what an answer out of memory takes to what only a
  /// failing disk does.
  package static let durations: [UInt64] = [
    50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
    50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
    10_000_000_000,
  ]

  /// Bounds for the sizes of batches: the powers of two up to the largest.
  static let batches: [UInt64] = (0...8).map { 1 << $0 }
}
