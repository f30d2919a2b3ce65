import Glibc

/// The directory of the audit segments, each named by the number of its first line; ``LogFileName`` has
/// the names.
struct AuditDirectory: AuditSource {
  let path: String

  /// Names the directory.
  init(path: String) {
    self.path = path
  }

  func sizes() throws(AuditFileError) -> [Int64: Int64] {
    let opened: Int32
    do throws(AuditFileError) {
      opened = try AuditSegmentFile.open(directory: path)
    } catch {
      guard error.code == ENOENT else { throw error }
      return [:]
    }
    guard let directory = unsafe fdopendir(opened) else {
      let code = errno
      close(opened)
      throw AuditFileError(code: code)
    }
    defer { unsafe closedir(directory) }
    var sizes: [Int64: Int64] = [:]
    while true {
      errno = 0
      guard let entry = unsafe readdir(directory) else {
        // The end, and a failure that would make segments look removed, differ by this alone.
        guard errno == 0 else { throw AuditFileError(code: errno) }
        return sizes
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = LogFileName.number(in: name), number > 0 else { continue }
      // Anything but a regular file was put there by somebody else, and holds no lines of ours.
      var status = stat()
      guard unsafe fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      sizes[number] = Int64(status.st_size)
    }
  }

  func open(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    try AuditSegmentFile(directory: path, name: LogFileName.name(of: number), isNew: false)
  }

  func make(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    try AuditSegmentFile(directory: path, name: LogFileName.name(of: number), isNew: true)
  }

  func remove(_ number: Int64) throws(AuditFileError) {
    let parent = try AuditSegmentFile.open(directory: path)
    defer { close(parent) }
    // One that is gone already was removed by an attempt that failed behind that.
    let isGone = unsafe unlinkat(parent, LogFileName.name(of: number), 0) == 0 || errno == ENOENT
    guard isGone, fsync(parent) == 0 else { throw AuditFileError(code: errno) }
  }

  func pruneFile(isNew: Bool) throws(AuditFileError) -> (any AuditFile)? {
    let name = AuditPruneLog.fileName
    do throws(AuditFileError) {
      return try AuditSegmentFile(directory: path, name: name, isNew: false)
    } catch {
      guard error.code == ENOENT else { throw error }
      return isNew ? try AuditSegmentFile(directory: path, name: name, isNew: true) : nil
    }
  }
}
