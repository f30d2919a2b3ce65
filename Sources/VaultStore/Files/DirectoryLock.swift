import Glibc

/// The lock that makes its holder the only user of a data directory; given up when released.
package struct DirectoryLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock without waiting.
  ///
  /// - Parameter path: the lock file, which exists.
  /// - Throws: ``StoreError/busy`` when another process, or another part of this one, has it;
  ///   ``StoreError/file(_:errno:)`` when it cannot be opened.
  package init(_ path: String) throws(StoreError) {
    let file = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw .file(.open, errno: errno) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(file)
      if code == EWOULDBLOCK { throw .busy }
      throw .file(.lock, errno: code)
    }
    descriptor = file
  }

  deinit {
    close(descriptor)
  }
}
