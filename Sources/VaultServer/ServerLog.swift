import Glibc

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

  /// Writes one line.
  package static func write(_ level: LogLevel, _ text: String) {
    let line = Array((isJournal ? "<\(level.rawValue)>" : "").utf8) + Array("\(text)\n".utf8)
    // There is nowhere to report a failure to.
    _ = unsafe line.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
