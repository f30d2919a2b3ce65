import Glibc

/// A queue that one thread waits on and any thread adds to.
///
/// A condition variable rather than `Mutex`, because the reader has to sleep, and with a limit.
@safe final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
  // Guarded by `mutex`, which is why the class may be shared.
  private var elements: [Element] = []
  private var isClosed = false
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let ready = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
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

  /// Adds an element at the end.
  ///
  /// - Returns: `false`, and the element is not taken, once the queue is closed.
  func push(_ element: Element) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard !isClosed else { return false }
    elements.append(element)
    if elements.count == 1 { unsafe pthread_cond_signal(ready) }
    return true
  }

  /// Whether elements are taken.
  var isOpen: Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return !isClosed
  }

  /// Refuses further elements; what is queued can still be taken.
  func close() {
    unsafe pthread_mutex_lock(mutex)
    isClosed = true
    unsafe pthread_cond_signal(ready)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until there is something, then takes at most `limit` elements in order.
  ///
  /// - Returns: none after `milliseconds` without one; `nil` when the queue is closed and empty.
  func take(atMost limit: Int, waiting milliseconds: Int) -> [Element]? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    if elements.isEmpty && !isClosed {
      var deadline = timespec()
      unsafe clock_gettime(CLOCK_MONOTONIC, &deadline)
      let nanoseconds = deadline.tv_nsec + (milliseconds % 1000) * 1_000_000
      deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
      deadline.tv_nsec = nanoseconds % 1_000_000_000
      while elements.isEmpty && !isClosed {
        guard unsafe pthread_cond_timedwait(ready, mutex, &deadline) == 0 else { break }
      }
    }
    if elements.isEmpty { return isClosed ? nil : [] }
    if elements.count <= limit {
      let all = elements
      elements = []
      return all
    }
    let some = Array(elements.prefix(limit))
    elements.removeFirst(limit)
    return some
  }
}
