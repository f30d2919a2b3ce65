/// Why the daemon did not start, and the status it exits with.
struct DaemonFailure: Error, CustomStringConvertible {
  let status: ExitStatus
  let description: String

  init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }
}
