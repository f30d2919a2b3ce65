import CVaultSystem
import Glibc

/// An epoll set, used by one thread.
final class Poller {
  /// What happened to one descriptor.
  struct Event {
    let token: UInt64
    private let bits: UInt32

    init(_ event: vault_event) {
      token = event.token
      bits = event.events
    }

    var isReadable: Bool { bits & VAULT_READABLE != 0 }
    var isWritable: Bool { bits & VAULT_WRITABLE != 0 }
    /// Both directions are shut, or the socket failed.
    var isHungUp: Bool { bits & (VAULT_HUNG_UP | VAULT_FAILED) != 0 }
  }

  /// What to be told of.
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let readable = Interest(rawValue: VAULT_READABLE)
    static let writable = Interest(rawValue: VAULT_WRITABLE)
    /// Once for each change instead of as long as it holds.
    static let onEdge = Interest(rawValue: VAULT_ON_EDGE)
  }

  private static let capacity = 64
  private let set: OwnedDescriptor
  private var buffer = [vault_event](repeating: vault_event(), count: Poller.capacity)

  init() throws(ServerError) {
    let number = vault_poll_open()
    guard number >= 0 else { throw .system(call: "epoll_create1", errno: -number) }
    set = OwnedDescriptor(number)
  }

  func add(_ descriptor: Int32, token: UInt64, _ interest: Interest) throws(ServerError) {
    let failure = vault_poll_set(set.number, descriptor, interest.rawValue, token, 0)
    guard failure == 0 else { throw .system(call: "epoll_ctl", errno: failure) }
  }

  /// Changes what to be told of; the descriptor is known to be in the set, so this cannot fail.
  func change(_ descriptor: Int32, token: UInt64, _ interest: Interest) {
    _ = vault_poll_set(set.number, descriptor, interest.rawValue, token, 1)
  }

  func remove(_ descriptor: Int32) {
    vault_poll_remove(set.number, descriptor)
  }

  /// Waits for events.
  ///
  /// - Parameter milliseconds: how long to wait at most; -1 is without end.
  /// - Returns: how many there are; see ``event(_:)``.
  /// - Throws: ``ServerError/system(call:errno:)``; a signal is no error.
  func wait(milliseconds: Int32) throws(ServerError) -> Int {
    let capacity = Int32(buffer.count)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { events in
      unsafe vault_poll_wait(set.number, events.baseAddress, capacity, milliseconds)
    }
    // A signal that woke the thread is as good as no event.
    guard count >= 0 || count == -EINTR else {
      throw .system(call: "epoll_wait", errno: -count)
    }
    return max(0, Int(count))
  }

  /// One of the events that the last wait has found.
  func event(_ index: Int) -> Event {
    Event(buffer[index])
  }
}
