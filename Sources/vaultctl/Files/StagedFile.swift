import Glibc

/// A file that is written under another name, made durable, and only then given its own.
struct StagedFile: ~Copyable {
  private let path: String
  private let staged: String
  private var descriptor: Int32

  /// Begins a file; its name need not be free before the end.
  init(_ path: String, mode: mode_t = 0o640) throws(CommandFailure) {
    self.path = path
    staged = "\(path).part-\(getpid())"
    descriptor = unsafe open(staged, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unsafe unlink(staged)
  }

  /// Adds octets.
  func write(_ octets: [UInt8]) throws(CommandFailure) {
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure(path, errno) }
      start += count
    }
  }

  /// Gives the file its name once it is durable.
  ///
  /// - Parameter replaces: whether a file of that name goes.
  /// - Throws: ``CommandFailure`` ``ExitCode/cannotCreate``; nothing is left behind then.
  mutating func finish(replacing replaces: Bool = false) throws(CommandFailure) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
    if replaces {
      guard unsafe rename(staged, path) == 0 else { throw Self.failure(path, errno) }
    } else {
      try FileOutput.move(staged, to: path)
    }
    close(descriptor)
    descriptor = -1
    try Self.synchronise(directory: Self.parent(of: path))
  }

  /// Makes the names in a directory durable.
  static func synchronise(directory: String) throws(CommandFailure) {
    let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(directory, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(directory, errno) }
  }

  /// The directory that a path is in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func failure(_ path: String, _ reason: Int32) -> CommandFailure {
    CommandFailure(.cannotCreate, "\(path) cannot be made: \(systemMessage(reason))")
  }
}
