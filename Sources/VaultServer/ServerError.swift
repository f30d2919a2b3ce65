import Glibc
package import SecureMemory

/// What keeps the server from starting, or stops it.
package enum ServerError: Error, Hashable, Sendable {
  /// A system call failed in a way the server cannot work around.
  case system(call: String, errno: Int32)
  /// The runtime directory, or one below it, is not safe to put a socket in.
  case unsafeDirectory(path: String, reason: String)
  /// The runtime directory, or one below it, cannot be made.
  case cannotMakeDirectory(path: String, errno: Int32)
  /// Something that must not be replaced is at a socket's path.
  case pathTaken(path: String, reason: String)
  /// A socket's path does not fit a Unix address.
  case pathTooLong(path: String, limit: Int)
  /// The descriptors that systemd passed are not what the server needs.
  case badActivation(String)
  /// An I/O thread got no locked memory to read into.
  case noLockedMemory(SecureMemoryError)
  /// The service refused to make its handlers.
  case service(String)
}

extension ServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let call, let errno):
      "\(call) failed: \(Self.text(errno))"
    case .unsafeDirectory(let path, let reason):
      "the directory \(path) is not safe for a socket: \(reason)"
    case .cannotMakeDirectory(let path, let errno):
      "\(path) cannot be made: \(Self.text(errno)); make it for this user, or name another"
        + " with --runtime"
    case .pathTaken(let path, let reason):
      "\(path) is not replaced: \(reason)"
    case .pathTooLong(let path, let limit):
      "\(path) is longer than the \(limit) bytes of a Unix socket address;"
        + " choose a shorter runtime directory"
    case .badActivation(let reason):
      "socket activation: \(reason)"
    case .noLockedMemory(let error):
      "no locked memory for reading requests (\(error)); raise LimitMEMLOCK= or ulimit -l"
    case .service(let reason):
      "the service did not start: \(reason)"
    }
  }

  /// The system's words for an error number.
  package static func text(_ errno: Int32) -> String {
    unsafe String(cString: strerror(errno))
  }
}
