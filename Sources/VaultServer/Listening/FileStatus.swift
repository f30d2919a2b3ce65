import Glibc

/// What `fstatat` says of a name, links not followed.
struct FileStatus {
  let device: dev_t
  let inode: ino_t
  let owner: uid_t
  let mode: mode_t

  private init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    owner = status.st_uid
    mode = status.st_mode
  }

  /// Looks at a name in an open directory; `nil` when there is none.
  init?(name: String, in directory: Int32) throws(ServerError) {
    var status = stat()
    guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw .system(call: "stat \(name)", errno: errno) }
      return nil
    }
    self.init(status)
  }

  /// Looks at an open descriptor.
  init(descriptor: Int32) throws(ServerError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .system(call: "fstat", errno: errno)
    }
    self.init(status)
  }

  private var kind: mode_t { mode & S_IFMT }
  var isSocket: Bool { kind == S_IFSOCK }
  var isLink: Bool { kind == S_IFLNK }
  var isRegularFile: Bool { kind == S_IFREG }
  /// Whether group or others may write.
  var isWidelyWritable: Bool { mode & 0o022 != 0 }
}
