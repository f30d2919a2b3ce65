import Glibc

/// A queue that one thread waits on and any thread adds to.
///
/// A condition variable rather than `Mutex`, because the reader has to sleep, and with a limit.
@safe final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  /// How many elements the reader waits for while more are on their way, and how many microseconds
  /// at most: enough for what taking them costs to be shared, too little to be felt.
  private static var gathering: Int { 16 }
  private static var patience: Int { 500 }

  // Guarded by `mutex`, which is why the class may be shared.
  private var elements: [Element] = []
  private var isClosed = false
  /// How many threads have said that they are about to add more.
  private var feeders = 0
  /// With how many elements the waiting reader is to be woken; none while it does not wait.
  private var wanted: Int?
  private let user: @Sendable (Element) -> UInt32
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let ready = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Makes an empty queue.
  ///
  /// - Parameter user: whose an element is; the users share what is taken when more waits than that.
  init(user: @escaping @Sendable (Element) -> UInt32 = { _ in 0 }) {
    self.user = user
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe ready.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(ready, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(ready)
    unsafe pthread_mutex_destroy(mutex)
    unsafe ready.deallocate()
    unsafe mutex.deallocate()
  }

  /// Does something under the lock, and wakes the reader behind it: woken under it, the reader would
  /// run into it.
  ///
  /// - Parameter body: gives what to return, and whether it may be what the reader waits for.
  /// - Returns: what `body` gives to return.
  private func locked<Value>(_ body: () -> (Value, changed: Bool)) -> Value {
    unsafe pthread_mutex_lock(mutex)
    let (value, changed) = body()
    let wakes = changed && isReady
    if wakes { wanted = nil }
    unsafe pthread_mutex_unlock(mutex)
    if wakes { unsafe pthread_cond_signal(ready) }
    return value
  }

  /// Whether the reader waits, and for no more than there is.
  private var isReady: Bool {
    guard let wanted else { return false }
    return isClosed || !elements.isEmpty && (feeders == 0 || elements.count >= wanted)
  }

  /// Adds an element at the end.
  ///
  /// - Returns: `false`, and the element is not taken, once the queue is closed.
  func push(_ element: Element) -> Bool {
    locked {
      guard !isClosed else { return (false, false) }
      elements.append(element)
      return (true, true)
    }
  }

  /// Says that the calling thread is about to add several elements, so that they are taken together
  /// where that costs little time; ``endFeeding()`` follows.
  func beginFeeding() {
    locked {
      feeders += 1
      return ((), false)
    }
  }

  /// Says that no more elements are about to come from the calling thread.
  func endFeeding() {
    locked {
      feeders -= 1
      return ((), true)
    }
  }

  /// Whether elements are taken.
  var isOpen: Bool { locked { (!isClosed, false) } }

  /// Refuses further elements; what is queued can still be taken.
  func close() {
    locked {
      isClosed = true
      return ((), true)
    }
  }

  /// Waits until there is something, then takes at most `limit` elements in order.
  ///
  /// When there are more, each user gets an equal share of them, so that one who has queued thousands
  /// keeps nobody waiting for longer than for one such share.
  ///
  /// While threads are feeding, it waits a moment for more.
  ///
  /// - Returns: none after `milliseconds` without one; `nil` when the queue is closed and empty.
  func take(atMost limit: Int, waiting milliseconds: Int) -> [Element]? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    if elements.isEmpty { wait(for: 1, milliseconds * 1000) }
    if feeders > 0, elements.count < Self.gathering { wait(for: Self.gathering, Self.patience) }
    if elements.isEmpty { return isClosed ? nil : [] }
    if elements.count <= limit {
      let all = elements
      elements = []
      return all
    }
    return takeShares(of: limit)
  }

  private func takeShares(of limit: Int) -> [Element] {
    let waiting = elements
    elements = []
    // Nobody who adds waits for the choice.
    unsafe pthread_mutex_unlock(mutex)
    let (some, left) = choose(limit, of: waiting)
    unsafe pthread_mutex_lock(mutex)
    elements = left + elements
    return some
  }

  private func choose(_ limit: Int, of elements: [Element]) -> (some: [Element], left: [Element]) {
    var taken: [UInt32: Int] = [:]
    for element in elements { taken[user(element)] = 0 }
    let share = max(limit / taken.count, 1)
    var some: [Element] = []
    var left: [Element] = []
    for element in elements {
      let user = user(element)
      if some.count < limit, let count = taken[user], count < share {
        taken[user] = count + 1
        some.append(element)
      } else {
        left.append(element)
      }
    }
    return (some, left)
  }

  /// Waits under the lock until there are so many elements, or some and no more are on their way.
  private func wait(for count: Int, _ microseconds: Int) {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + (microseconds % 1_000_000) * 1000
    deadline.tv_sec += microseconds / 1_000_000 + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    wanted = count
    // Whoever makes it ready takes `wanted` away.
    while wanted != nil, !isReady {
      guard unsafe pthread_cond_timedwait(ready, mutex, &deadline) == 0 else { break }
    }
    wanted = nil
  }
}
