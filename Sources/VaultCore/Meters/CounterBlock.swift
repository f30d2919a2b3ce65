import Synchronization

/// Numbers that any thread adds to and any thread reads, without a lock.
@safe package final class CounterBlock: @unchecked Sendable {
  // Atomics may be shared; the memory lives as long as the block.
  private let counters: UnsafeMutableBufferPointer<Atomic<UInt64>>

  /// Makes counters that stand at zero.
  package init(count: Int) {
    let counters = UnsafeMutableBufferPointer<Atomic<UInt64>>.allocate(capacity: max(count, 0))
    for index in counters.indices {
      unsafe (counters.baseAddress.unsafelyUnwrapped + index).initialize(to: Atomic(0))
    }
    unsafe self.counters = counters
  }

  deinit {
    unsafe counters.deinitialize()
    unsafe counters.deallocate()
  }

  /// Adds to a counter; one that is not there is left alone.
  package func add(_ amount: UInt64, at index: Int) {
    guard unsafe counters.indices.contains(index) else { return }
    unsafe counters[index].wrappingAdd(amount, ordering: .relaxed)
  }

  /// Where a counter stands; zero for one that is not there.
  package subscript(index: Int) -> UInt64 {
    guard unsafe counters.indices.contains(index) else { return 0 }
    return unsafe counters[index].load(ordering: .relaxed)
  }

  /// Where all counters stand; those that move meanwhile may be seen before or after that.
  package var all: [UInt64] { unsafe counters.indices.map { self[$0] } }
}
