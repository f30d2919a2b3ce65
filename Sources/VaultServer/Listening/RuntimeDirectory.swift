import CVaultSystem
import Glibc

/// A directory that is safe to put sockets in: no link, owned by the daemon or root, and nobody
/// else can change what it holds.
struct RuntimeDirectory {
  let path: String
  let descriptor: OwnedDescriptor

  /// Opens a directory, making it when it is missing.
  ///
  /// - Parameters:
  ///   - path: where it is; the directories above it are the operator's to keep safe.
  ///   - mode: its permissions when it is made.
  /// - Throws: ``ServerError/unsafeDirectory(path:reason:)`` when others could change it.
  init(path: String, mode: mode_t) throws(ServerError) {
    try self.init(path: path, name: path, parent: AT_FDCWD, mode: mode)
    let status = try FileStatus(descriptor: descriptor.number)
    guard status.owner == geteuid() || status.owner == 0 else {
      throw .unsafeDirectory(path: path, reason: "it belongs to uid \(status.owner)")
    }
    guard !status.isWidelyWritable else {
      throw .unsafeDirectory(path: path, reason: "its group or others may write to it")
    }
  }

  /// Opens a directory in this one, making it when it is missing; it belongs to the daemon and has
  /// exactly this mode afterwards.
  func subdirectory(_ name: String, mode: mode_t) throws(ServerError) -> RuntimeDirectory {
    let inner = try RuntimeDirectory(
      path: "\(path)/\(name)", name: name, parent: descriptor.number, mode: mode)
    let status = try FileStatus(descriptor: inner.descriptor.number)
    guard status.owner == geteuid() else {
      throw .unsafeDirectory(path: inner.path, reason: "it belongs to uid \(status.owner)")
    }
    guard fchmod(inner.descriptor.number, mode) == 0 else {
      throw .system(call: "chmod \(inner.path)", errno: errno)
    }
    return inner
  }

  private init(path: String, name: String, parent: Int32, mode: mode_t) throws(ServerError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .unsafeDirectory(path: path, reason: "the path is empty or has a zero byte")
    }
    let made = unsafe mkdirat(parent, name, mode) == 0
    guard made || errno == EEXIST else {
      throw .cannotMakeDirectory(path: path, errno: errno)
    }
    let number = unsafe openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      // A link gives ENOTDIR or ELOOP, depending on what it leads to.
      guard errno != ENOTDIR, errno != ELOOP else {
        throw .unsafeDirectory(path: path, reason: "it is a link or no directory")
      }
      throw .system(call: "open \(path)", errno: errno)
    }
    self.path = path
    descriptor = OwnedDescriptor(number)
    // The mask of the process has narrowed the mode of a new directory.
    if made { _ = fchmod(number, mode) }
  }

  /// Locks the directory for as long as it is open, so that two daemons that start at once do not
  /// take each other's socket for stale.
  func lock(for path: String) throws(ServerError) {
    guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
      guard errno != EWOULDBLOCK else {
        throw .pathTaken(path: path, reason: "another daemon holds its directory")
      }
      throw .system(call: "flock", errno: errno)
    }
  }

  /// What a name in this directory stands for, `nil` when there is none.
  func status(of name: String) throws(ServerError) -> FileStatus? {
    try FileStatus(name: name, in: descriptor.number)
  }

  /// Removes what an earlier run has left at a name: only a socket of ours that nobody answers.
  func removeStaleSocket(_ name: String, path: String) throws(ServerError) {
    guard let status = try status(of: name) else { return }
    guard !status.isLink else { throw .pathTaken(path: path, reason: "it is a symbolic link") }
    guard status.isSocket else { throw .pathTaken(path: path, reason: "it is not a socket") }
    guard status.owner == geteuid() else {
      throw .pathTaken(path: path, reason: "it belongs to uid \(status.owner)")
    }
    let probe = unsafe vault_connect_unix(path)
    if probe >= 0 { close(probe) }
    guard probe != -ENOENT else { return }
    guard probe == -ECONNREFUSED else {
      let reason =
        probe >= 0 || probe == -EAGAIN
        ? "another server answers there" : "asking it failed: \(ServerError.text(-probe))"
      throw .pathTaken(path: path, reason: reason)
    }
    guard unsafe unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
      throw .system(call: "unlink \(path)", errno: errno)
    }
  }
}
