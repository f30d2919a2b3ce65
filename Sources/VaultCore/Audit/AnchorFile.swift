import Glibc

/// A file that holds the newest checkpoint, replaced as a whole each time.
struct AnchorFile: CheckpointAnchor {
  /// More octets than a checkpoint has.
  private static let limit = 4 << 10

  private let directory: String
  private let name: String

  /// Names the file; its directory must exist.
  init(path: String) {
    directory = DataDirectory.parent(of: path)
    name = DataDirectory.name(of: path)
  }

  func read() throws(AuditFileError) -> [UInt8]? {
    let parent = try open()
    defer { close(parent) }
    let file = unsafe openat(parent, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 && errno == ENOENT { return nil }
    try check(file >= 0)
    defer { close(file) }
    var status = stat()
    try check(unsafe fstat(file, &status) == 0)
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.limit else {
      throw AuditFileError(code: EINVAL)
    }
    var octets = [UInt8](repeating: 0, count: Self.limit)
    let count = unsafe Glibc.read(file, &octets, octets.count)
    try check(count >= 0)
    return Array(octets[..<count])
  }

  func write(_ line: [UInt8]) throws(AuditFileError) {
    let parent = try open()
    defer { close(parent) }
    let new = ".\(name).new"
    // One that a crash left behind; only this process writes here.
    _ = unsafe unlinkat(parent, new, 0)
    let file = unsafe openat(parent, new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    try check(file >= 0)
    defer { close(file) }
    // The line is for anybody to keep; the process makes files for its user alone.
    try check(fchmod(file, 0o640) == 0)
    let written = unsafe line.withUnsafeBytes {
      unsafe Glibc.write(file, $0.baseAddress, $0.count)
    }
    try check(written >= 0)
    guard written == line.count else { throw AuditFileError(code: ENOSPC) }
    try check(fsync(file) == 0)
    try check(unsafe renameat(parent, new, parent, name) == 0)
    try check(fsync(parent) == 0)
  }

  /// The directory; a link to it is the operator's choice, as the whole path is.
  private func open() throws(AuditFileError) -> Int32 {
    let parent = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try check(parent >= 0)
    return parent
  }

  private func check(_ isFine: Bool) throws(AuditFileError) {
    guard isFine else { throw AuditFileError(code: errno) }
  }
}
