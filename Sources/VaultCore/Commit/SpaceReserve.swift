import Glibc

/// Disk space kept back, so that something can still be taken away from a caller when the disk is
/// full (design §2): a revocation that waits for room is a stranger let in.
package protocol SpaceReserve: Sendable {
  /// Holds the space, if it is not held already.
  ///
  /// - Returns: `false` when the disk has no room for it. Any other trouble shows elsewhere.
  func hold() -> Bool
  /// Gives the space to the file system.
  func release()
}

/// A file of the data directory that takes up the space; what is in it means nothing.
struct ReserveFile: SpaceReserve {
  /// Room for some hundred commits.
  static let size: off_t = 1 << 20

  let path: String

  func hold() -> Bool {
    let file = unsafe open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard file >= 0 else { return errno != ENOSPC && errno != EDQUOT }
    defer { close(file) }
    // Allocating what is allocated already costs nothing.
    let problem = posix_fallocate(file, 0, Self.size)
    guard problem == ENOSPC || problem == EDQUOT else { return true }
    // A part of it would only make the disk fuller.
    _ = ftruncate(file, 0)
    return false
  }

  func release() {
    _ = unsafe truncate(path, 0)
  }
}
