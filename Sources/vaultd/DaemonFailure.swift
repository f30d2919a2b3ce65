/// Why the daemon did not start, and the status it exits with.
struct DaemonFailure: Error {
  /// The exit statuses, as in sysexits(3).
  enum Status: Int32, CaseIterable {
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
    /// Another daemon serves the directory, memory cannot be locked, or files cannot be written.
    case temporary = 75
    /// The key file opens no slot, others can reach the data directory, or the daemon runs as root
    /// without being told to.
    case noPermission = 77
    /// The configuration file is wrong.
    case configuration = 78

    /// What the help says of it.
    private var meaning: String {
      switch self {
      case .usage: "the command line is wrong"
      case .data: "the vault is damaged"
      case .noInput: "the data directory or the key file is not there"
      case .unavailable: "the sockets cannot be had"
      case .software: "the process cannot be made safe"
      case .temporary:
        "another daemon serves the directory, memory cannot be locked, or files be written"
      case .noPermission:
        "the key opens no slot, others can reach the data directory, or running as root was refused"
      case .configuration: "the configuration file is wrong"
      }
    }

    /// All of them, for the help.
    static var table: String {
      allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n")
    }
  }

  let status: Status
  let message: String

  init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
  }
}
