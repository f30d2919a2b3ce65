import Glibc

/// Why a process is not fit to hold secrets.
package enum HardeningError: Error, Hashable, Sendable {
  /// A system call failed.
  case system(call: String, reason: String)
  /// It runs as root and nobody has said that this is meant.
  case runsAsRoot
  /// Less memory may be locked than will be needed, both in bytes.
  case lockedMemory(needed: Int, limit: Int)

  static func system(call: String, _ errno: Int32) -> HardeningError {
    .system(call: call, reason: unsafe String(cString: strerror(errno)))
  }
}

extension HardeningError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .system(let call, let reason):
      return "\(call) failed: \(reason)"
    case .runsAsRoot:
      return "refusing to run as root; run as a user of its own, or say --allow-root"
    case .lockedMemory(let needed, let limit):
      let kib = (needed + 1023) / 1024
      return "\(needed) bytes of memory must be locked, but the limit is \(limit);"
        + " set LimitMEMLOCK=\(kib)K in the service unit, or run ulimit -l \(kib) before"
    }
  }
}
