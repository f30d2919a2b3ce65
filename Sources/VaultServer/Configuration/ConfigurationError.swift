/// Why a configuration file is refused; the daemon does not start then.
package enum ConfigurationError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case unreadable(path: String, reason: String)
  /// Somebody other than root or the daemon's user could have written it.
  case unsafeFile(path: String, reason: String)
  /// A line does not say anything that is known.
  case badLine(path: String, line: Int, reason: String)
}

extension ConfigurationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unsafeFile(let path, let reason): "\(path): not trusted: \(reason)"
    case .badLine(let path, let line, let reason): "\(path):\(line): \(reason)"
    }
  }
}
