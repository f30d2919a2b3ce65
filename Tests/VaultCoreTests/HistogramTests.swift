import Foundation
import Testing

@testable import VaultCore

@Suite struct HistogramTests {
  @Test func `a value falls into the first bucket that is not smaller`() {
    let histogram = Histogram(bounds: [10, 20])
    for value: UInt64 in [0, 10, 11, 20, 21, 1000] { histogram.note(value) }
    let reading = histogram.reading
    #expect(reading.bounds == [10, 20] && reading.counts == [2, 2, 2])
    #expect(reading.sum == 1062)
    #expect((reading + reading).counts == [4, 4, 4])
  }

  @Test func `no count is lost between threads`() {
    let block = CounterBlock(count: 3)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for index in 0..<9_000 { block.add(2, at: index % 3) }
    }
    #expect(block.all == [48_000, 48_000, 48_000])
    block.add(1, at: 3)
    block.add(1, at: -1)
    #expect(block.all == [48_000, 48_000, 48_000] && block[3] == 0)
  }

  @Test func `the standard bounds ascend`() {
    for bounds in [Histogram.durations, Histogram.batches] {
      #expect(bounds == Set(bounds).sorted())
    }
    #expect(Histogram.batches.last == UInt64(Committer.batchLimit))
  }
}
