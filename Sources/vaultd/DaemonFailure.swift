/// Why the daemon did not start, and the status it exits with.
struct DaemonFailure: Error {
  /// The exit statuses, as in sysexits(3).
  enum Status: Int32 {
    /// The command line is wrong.
    case usage = 64
    /// The vault is damaged.
    case data = 65
    /// The data directory or key file is not there.
    case noInput = 66
    /// The sockets cannot be had.
    case unavailable = 69
    /// The process cannot be made safe.
    case software = 70
    /// Another daemon serves the directory, or memory cannot be locked.
    case temporary = 75
    /// The key file opens no slot.
    case noPermission = 77
    /// The configuration file is wrong.
    case configuration = 78
  }

  let status: Status
  let message: String

  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }
}
