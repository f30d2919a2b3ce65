import Glibc
import Synchronization

// Global, as a signal handler can capture nothing.
private let isEndAsked = Atomic(false)

/// Whether somebody wants the program to end: looked at between steps, so that what was started and
/// made is taken away again.
enum Interruption {
  /// Makes SIGINT, SIGTERM and SIGHUP ask for the end instead of being it.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = signal(number) { _ in isEndAsked.store(true, ordering: .relaxed) }
    }
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Goes no further once the end was asked for.
  static func check() throws(BenchFailure) {
    if isEndAsked.load(ordering: .relaxed) { throw BenchFailure("interrupted") }
  }
}
