import Glibc

/// The file system of the machine.
package struct SystemFiles: FileLayer {
  /// Uses the system's calls.
  package init() {}

  package func makeDirectory(_ path: String, mode: UInt32) throws(StoreError) {
    try check(.makeDirectory, unsafe mkdir(path, mode))
  }

  package func writeNewFile(
    _ path: String, mode: UInt32, _ bytes: Span<UInt8>
  ) throws(StoreError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    try check(.makeFile, file)
    defer { close(file) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.extracting(written...).withUnsafeBufferPointer { rest in
        unsafe write(file, rest.baseAddress, rest.count)
      }
      if count < 0 && errno == EINTR { continue }
      try check(.write, Int32(clamping: count))
      written += count
    }
    try check(.synchronise, fsync(file))
  }

  package func synchronise(_ path: String) throws(StoreError) {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    try check(.open, file)
    defer { close(file) }
    try check(.synchronise, fsync(file))
  }

  package func rename(_ path: String, to target: String) throws(StoreError) {
    try check(.rename, unsafe Glibc.rename(path, target))
  }

  package func link(_ path: String, to target: String) throws(StoreError) {
    try check(.link, unsafe Glibc.link(path, target))
  }

  package func remove(_ path: String) throws(StoreError) {
    try check(.remove, unsafe unlink(path))
  }

  package func removeDirectory(_ path: String) throws(StoreError) {
    try check(.remove, unsafe rmdir(path))
  }

  private func check(_ operation: FileOperation, _ result: Int32) throws(StoreError) {
    guard result < 0 else { return }
    switch errno {
    case ENOSPC, EDQUOT: throw .storageFull
    case EROFS: throw .readOnly
    default: throw .file(operation, errno: errno)
    }
  }
}
