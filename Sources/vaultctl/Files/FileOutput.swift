import Glibc

/// Makes files that are not secret; nothing is ever overwritten.
enum FileOutput {
  /// Makes a file with these octets; when that fails half-way, it is removed again.
  static func create(
    _ path: String, _ octets: [UInt8], mode: mode_t = 0o644
  ) throws(CommandFailure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        let reason = errno
        close(descriptor)
        unsafe unlink(path)
        throw failure(path, reason)
      }
      start += count
    }
    // Some file systems tell only here that the disk was full.
    guard close(descriptor) == 0 else {
      let reason = errno
      unsafe unlink(path)
      throw failure(path, reason)
    }
  }

  /// Makes sure, before there is something to lose, that a name is free.
  static func checkFree(_ path: String) throws(CommandFailure) {
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else { throw failure(path, EEXIST) }
    guard errno == ENOENT else { throw failure(path, errno) }
    // Nor is it free where nothing can be made.
    let end = path.lastIndex(of: "/")
    let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard unsafe access(directory, W_OK | X_OK) == 0 else { throw failure(path, errno) }
  }

  /// Gives a file another name, in the same file system, that must be free.
  static func move(_ staged: String, to path: String) throws(CommandFailure) {
    if unsafe link(staged, path) == 0 {
      unsafe unlink(staged)
      return
    }
    // Not every file system has links.
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS else {
      throw failure(path, errno)
    }
    try checkFree(path)
    guard unsafe rename(staged, path) == 0 else { throw failure(path, errno) }
  }

  /// Makes sure that a name is free, or an empty directory.
  static func checkFreeDirectory(_ path: String) throws(CommandFailure) {
    guard let stream = unsafe opendir(path) else {
      if errno == ENOENT { return }
      throw failure(path, errno == ENOTDIR ? EEXIST : errno)
    }
    defer { unsafe closedir(stream) }
    // Every directory has an entry for itself and for the one above.
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    guard count <= 2 else {
      throw CommandFailure(
        .cannotCreate, "\(path) exists already and is not empty",
        hint: "a vault is never overwritten; name another directory")
    }
  }

  private static func failure(_ path: String, _ reason: Int32) -> CommandFailure {
    guard reason != EEXIST else {
      return CommandFailure(
        .cannotCreate, "\(path) exists already", hint: "nothing is overwritten; name another file")
    }
    return CommandFailure(.cannotCreate, "\(path) cannot be made: \(systemMessage(reason))")
  }
}
