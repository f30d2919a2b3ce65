import Foundation
import Synchronization
import Testing

@testable import VaultCore

/// The queue under threads that feed it.
@Suite struct BlockingQueueTests {
  @Test func `a feeder that stalls keeps nobody waiting`() {
    let queue = BlockingQueue<Int>()
    queue.beginFeeding()
    #expect(queue.push(1))
    // Without an end of its patience this would never return.
    #expect(queue.take(atMost: 8, waiting: 60_000) == [1])
    queue.endFeeding()
    #expect(queue.push(2) && queue.take(atMost: 8, waiting: 60_000) == [2])
  }

  @Test func `a reader that waits is woken by an element, a feeder's end and the queue's end`() {
    let queue = BlockingQueue<Int>()
    let taken = Mutex<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while let some = queue.take(atMost: 8, waiting: 60_000) {
        taken.withLock { $0 += some }
        done.signal()
      }
      done.signal()
    }
    func settled(_ expected: [Int]) -> Bool {
      while taken.withLock({ $0.count }) < expected.count {
        guard done.wait(timeout: .now() + 60) == .success else { return false }
      }
      return taken.withLock { $0 } == expected
    }
    #expect(queue.push(1) && settled([1]))
    queue.beginFeeding()
    for value in 2...40 { #expect(queue.push(value)) }
    #expect(settled(Array(1...40)))
    #expect(queue.push(41))
    queue.endFeeding()
    #expect(settled(Array(1...41)))
    queue.close()
    #expect(done.wait(timeout: .now() + 60) == .success)
  }

  @Test func `who has queued thousands gets a share, and the others theirs`() {
    let queue = BlockingQueue<(user: UInt32, value: Int)> { $0.user }
    for value in 0..<5_000 { #expect(queue.push((1, value))) }
    for value in 0..<3 { #expect(queue.push((2, value)) && queue.push((3, value))) }
    let first = queue.take(atMost: 30, waiting: 0) ?? []
    #expect(first.count { $0.user == 1 } == 10)
    #expect(first.filter { $0.user == 2 }.map(\.value) == [0, 1, 2])
    #expect(first.filter { $0.user == 3 }.map(\.value) == [0, 1, 2])
    // Alone again, and in order to the last.
    var values = first.filter { $0.user == 1 }.map(\.value)
    while let some = queue.take(atMost: 30, waiting: 0), !some.isEmpty {
      #expect(some.count <= 30)
      values += some.map(\.value)
    }
    #expect(values == Array(0..<5_000))
    // More users than can be taken have their turns one after the other.
    for user in 0..<100 as Range<UInt32> {
      for value in 0..<2 { #expect(queue.push((user, value))) }
    }
    let turn = queue.take(atMost: 30, waiting: 0) ?? []
    #expect(turn.map(\.user) == Array(0..<30) && turn.allSatisfy { $0.value == 0 })
  }

  @Test func `nothing is lost or out of order between feeders`() {
    let queue = BlockingQueue<(feeder: Int, value: Int)>()
    let finished = DispatchSemaphore(value: 0)
    for feeder in 0..<4 {
      Thread.detachNewThread {
        for turn in 0..<50 {
          queue.beginFeeding()
          for value in 0..<20 { _ = queue.push((feeder, turn * 20 + value)) }
          queue.endFeeding()
        }
        finished.signal()
      }
    }
    var seen = [[Int]](repeating: [], count: 4)
    while seen.reduce(0, { $0 + $1.count }) < 4_000 {
      guard let some = queue.take(atMost: 64, waiting: 60_000), !some.isEmpty else { break }
      for element in some { seen[element.feeder].append(element.value) }
    }
    for values in seen { #expect(values == Array(0..<1_000)) }
    for _ in 0..<4 { #expect(finished.wait(timeout: .now() + 60) == .success) }
  }
}
