import Glibc

/// What an operation on the audit segment met: the `errno` of the system call.
package struct AuditFileError: Error, Hashable, Sendable {
  /// The `errno` value.
  package let code: Int32
  /// Makes the error.
  package init(code: Int32) { self.code = code }

  /// The file is not the one that was written: it was removed or cut while it was in use.
  static let cut = AuditFileError(code: ESTALE)
  /// Somebody else has written behind what the vault wrote.
  static let foreignText = AuditFileError(code: EUCLEAN)
  /// No signature could be made.
  static let unsigned = AuditFileError(code: ENOTRECOVERABLE)

  /// Whether it lies with the opened file, so that another attempt with it is of no use.
  var isOfFile: Bool {
    self == .cut || self == .foreignText || [EROFS, EACCES, EPERM].contains(code)
  }

  /// Whether there is no room.
  var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// The kind of trouble in one word, for programs.
  package var word: String {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: "storage_full"
    case EROFS: "read_only"
    case EIO: "io_error"
    case EACCES, EPERM: "not_permitted"
    case ESTALE, ENOENT: "removed"
    case EUCLEAN: "changed"
    default: "unusable"
    }
  }

  /// What the system says of it.
  var words: String { unsafe String(cString: strerror(code)) }
}

/// The bytes of one audit segment; a protocol so that tests can record or refuse writes.
package protocol AuditFile: AnyObject, Sendable {
  /// The length in bytes; ``AuditFileError/cut`` when another file, or none, has its name now.
  func size() throws(AuditFileError) -> Int64
  /// Reads `count` bytes at `offset`, fewer only at the end of the file.
  func read(at offset: Int64, count: Int) throws(AuditFileError) -> [UInt8]
  /// Writes all of `bytes` at the end.
  func append(_ bytes: [UInt8]) throws(AuditFileError)
  /// Cuts the file to `size` bytes.
  func truncate(to size: Int64) throws(AuditFileError)
  /// Returns once what was written survives power loss.
  func synchronise() throws(AuditFileError)
}

/// A segment on disk.
final class AuditSegmentFile: AuditFile {
  private let descriptor: Int32
  /// Why it cannot be written, `nil` when it can.
  private let refusal: Int32?
  private let directory: String
  private let path: String

  /// The modes of the directory and of the files: the owner's group may copy the log.
  private static let directoryMode: mode_t = 0o750
  private static let mode: mode_t = 0o640

  /// Opens the segment `name` in `directory`, or makes it, and the directory if it is missing.
  ///
  /// Neither a symbolic link nor anything but a regular file is opened. One that cannot be written can
  /// be read all the same: what it holds is to be compared with the database. Modes that earlier
  /// releases or somebody else have set are set right, where the system allows it.
  init(directory: String, name: String, isNew: Bool) throws(AuditFileError) {
    self.directory = directory
    path = "\(directory)/\(name)"
    if isNew { try Self.check(unsafe mkdir(directory, Self.directoryMode) == 0 || errno == EEXIST) }
    let parent = try Self.open(directory: directory)
    defer { Glibc.close(parent) }
    let access = O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var opened = unsafe openat(
      parent, name, isNew ? access | O_RDWR | O_CREAT | O_EXCL : access | O_RDWR, Self.mode)
    var refusal: Int32?
    if opened < 0 && !isNew && [EROFS, EACCES, EPERM].contains(errno) {
      refusal = errno
      opened = unsafe openat(parent, name, access | O_RDONLY)
    }
    try Self.check(opened >= 0)
    descriptor = opened
    self.refusal = refusal
    var status = stat()
    let isRegular = unsafe fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isRegular, refusal != nil || fsync(parent) == 0 else {
      let code = isRegular ? errno : EINVAL
      Glibc.close(opened)
      // A file that nobody knows of must not stand in the way of the next attempt.
      if isNew { _ = unsafe unlinkat(parent, name, 0) }
      throw AuditFileError(code: code)
    }
    Self.setMode(Self.mode, of: opened, status)
  }

  /// Opens the directory of the segments, which is no symbolic link.
  static func open(directory: String) throws(AuditFileError) -> Int32 {
    let opened = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    try check(opened >= 0)
    var status = stat()
    if unsafe fstat(opened, &status) == 0 { setMode(directoryMode, of: opened, status) }
    return opened
  }

  private static func setMode(_ mode: mode_t, of descriptor: Int32, _ status: stat) {
    // Not the owner, or a file system that is read-only: whoever can do that sees the mode as well.
    if status.st_mode & 0o777 != mode { _ = fchmod(descriptor, status.st_mode & 0o7000 | mode) }
  }

  deinit { Glibc.close(descriptor) }

  func size() throws(AuditFileError) -> Int64 {
    var status = stat()
    try Self.check(unsafe fstat(descriptor, &status) == 0)
    // A directory that was moved and linked to would still lead to the file.
    var named = stat()
    guard unsafe lstat(directory, &named) == 0, named.st_mode & S_IFMT == S_IFDIR,
      unsafe lstat(path, &named) == 0, named.st_ino == status.st_ino,
      named.st_dev == status.st_dev
    else { throw .cut }
    return Int64(status.st_size)
  }

  func read(at offset: Int64, count: Int) throws(AuditFileError) -> [UInt8] {
    try Self.octets(of: descriptor, at: offset, count: count)
  }

  /// Reads octets of an open file at a place, fewer where the file ends.
  static func octets(
    of descriptor: Int32, at offset: Int64, count: Int
  ) throws(AuditFileError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = unsafe pread(
          descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    try Self.check(failure == 0, failure)
    return bytes
  }

  func append(_ bytes: [UInt8]) throws(AuditFileError) {
    var failure = refusal ?? 0
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count && failure == 0 {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        let put = unsafe write(descriptor, rest.baseAddress, rest.count)
        if put >= 0 { written += put } else if errno != EINTR { failure = errno }
      }
    }
    try Self.check(failure == 0, failure)
  }

  func truncate(to size: Int64) throws(AuditFileError) {
    if let refusal { throw AuditFileError(code: refusal) }
    try Self.check(ftruncate(descriptor, off_t(size)) == 0)
  }

  func synchronise() throws(AuditFileError) {
    try Self.check(fdatasync(descriptor) == 0)
  }

  private static func check(_ isFine: Bool, _ code: Int32? = nil) throws(AuditFileError) {
    guard isFine else { throw AuditFileError(code: code ?? errno) }
  }
}
