import Glibc
import Synchronization

/// Where the handler writes the number of the signal; -1 when nobody watches.
private let signalPipe = Atomic<Int32>(-1)

/// Catches the signals that would end or stop the process, so that it can tidy up first.
///
/// The handler only writes to a pipe, which is polled together with what is read: a signal between
/// two calls cannot be missed.
struct SignalWatch: ~Copyable {
  private let readEnd: Int32
  private let writeEnd: Int32
  private var former: [(number: Int32, action: sigaction)] = []

  /// Starts watching; a signal that is ignored stays ignored.
  ///
  /// - Parameter numbers: the signals.
  /// - Throws: ``CommandFailure`` when there is no pipe to be had.
  init(
    _ numbers: [Int32] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGALRM]
  ) throws(CommandFailure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw CommandFailure(.failure, "no pipe can be made: \(systemMessage(errno))")
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe.store(writeEnd, ordering: .sequentiallyConsistent)
    for number in numbers {
      var old = sigaction()
      var new = sigaction()
      unsafe new.__sigaction_handler.sa_handler = { number in
        let saved = errno
        var octet = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(signalPipe.load(ordering: .relaxed), &octet, 1)
        errno = saved
      }
      guard unsafe sigaction(number, nil, &old) == 0, !Self.isIgnored(old) else { continue }
      guard unsafe sigaction(number, &new, nil) == 0 else { continue }
      former.append((number, old))
    }
  }

  /// Waits until there is something to read.
  ///
  /// - Returns: the signal that came first, `nil` when there is something to read.
  borrowing func wait(for descriptor: Int32) throws(CommandFailure) -> Int32? {
    try poll(descriptor, timeout: -1)
  }

  /// The signal that came first of those not yet told; `nil` when there is none.
  borrowing func next() throws(CommandFailure) -> Int32? {
    // poll(2) passes over a negative descriptor.
    try poll(-1, timeout: 0)
  }

  private borrowing func poll(
    _ descriptor: Int32, timeout: Int32
  ) throws(CommandFailure) -> Int32? {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe Glibc.poll(&entries, 2, timeout) < 0 {
      guard errno == EINTR else {
        throw CommandFailure(.failure, "the terminal cannot be polled: \(systemMessage(errno))")
      }
    }
    guard entries[1].revents != 0 else { return nil }
    var octet: UInt8 = 0
    guard unsafe read(readEnd, &octet, 1) == 1 else { return nil }
    return Int32(octet)
  }

  /// Gives the signals their usual effect again.
  borrowing func stop() {
    for entry in former {
      var action = entry.action
      unsafe sigaction(entry.number, &action, nil)
    }
  }

  deinit {
    stop()
    signalPipe.store(-1, ordering: .sequentiallyConsistent)
    close(readEnd)
    close(writeEnd)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // SIG_IGN is the address 1.
    unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
