import Glibc
import Synchronization

/// How much a log line matters; the numbers are syslog's.
package enum LogLevel: Int, Sendable {
  /// Something stopped working.
  case error = 3
  /// Something was refused or will stop working.
  case warning = 4
  /// Something an operator may want to see.
  case notice = 5
  /// Something ordinary.
  case info = 6
}

/// Where the server's few words to the operator go; called from any thread.
///
/// They name users, processes and limits, never what a request holds.
package typealias ServerLog = @Sendable (LogLevel, String) -> Void

/// The log on standard error.
package enum StandardErrorLog {
  /// Whether standard error leads to the journal, which reads the level in front of a line.
  private static let isJournal = unsafe getenv("JOURNAL_STREAM") != nil

  /// A pipe that is ready takes this many bytes in one piece, without waiting (PIPE_BUF).
  private static let longest = 4096
  /// Held between looking and writing, so that no other thread takes the room.
  private static let turn = Mutex<Void>(())

  /// Writes one line, or drops it when nobody takes it: whoever stops reading the log must not stop
  /// the vault.
  package static func write(_ level: LogLevel, _ text: String) {
    var line = Array((isJournal ? "<\(level.rawValue)>" : "").utf8) + Array(text.utf8)
    line = line.prefix(longest - 1) + [newline]
    turn.withLock { _ in
      var look = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      guard unsafe poll(&look, 1, 0) == 1, look.revents & Int16(POLLOUT) != 0 else { return }
      // There is nowhere to report a failure to.
      _ = unsafe line.withUnsafeBytes {
        unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
      }
    }
  }
}
