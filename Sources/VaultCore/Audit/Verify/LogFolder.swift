import Glibc

/// A directory of audit segments, or a single file with the text of a log, opened for reading alone.
///
/// Not `Sendable`: used by one thread.
package final class LogFolder: LogText {
  /// How many names ``ignored`` has at most.
  package static let shownNames = 8

  package let files: [LogTextFile]
  /// The first names in the directory, in their order, that are none of a log; no text was read there.
  package let ignored: [String]
  /// How many there are.
  package let ignoredCount: Int
  private let path: String
  /// Whether ``path`` is the only file itself.
  private let isFile: Bool
  private var open: (file: Int, descriptor: Int32)?

  /// Looks at a directory or a file.
  ///
  /// - Parameter path: the directory with the segments, such as `audit/` of a data directory, or a
  ///   file that `vaultctl audit export` has made.
  /// - Throws: ``LogTextError`` when it cannot be read, or when anything in it that has the name of
  ///   a segment is not a regular file.
  package init(_ path: String) throws(LogTextError) {
    self.path = path
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw LogTextError(file: path, code: errno) }
    isFile = status.st_mode & S_IFMT != S_IFDIR
    let listing =
      isFile
      ? Listing(names: [String(path.split(separator: "/").last ?? "")]) : try Listing(of: path)
    (ignored, ignoredCount) = (listing.ignored, listing.ignoredCount)
    var files: [LogTextFile] = []
    for name in listing.names {
      let descriptor = try Self.open(isFile ? path : "\(path)/\(name)", name)
      defer { close(descriptor) }
      guard unsafe fstat(descriptor, &status) == 0 else {
        throw LogTextError(file: name, code: errno)
      }
      files.append(LogTextFile(name: name, size: Int64(status.st_size)))
    }
    self.files = files
  }

  deinit { if let open { close(open.descriptor) } }

  package func read(
    _ file: Int, at offset: Int64, count: Int
  ) throws(LogTextError) -> [UInt8] {
    let descriptor = try descriptor(of: file)
    do throws(AuditFileError) {
      return try AuditSegmentFile.octets(of: descriptor, at: offset, count: count)
    } catch {
      throw LogTextError(file: files[file].name, code: error.code)
    }
  }

  /// The file that was read last stays open; a log has as many segments as it likes.
  private func descriptor(of file: Int) throws(LogTextError) -> Int32 {
    if let open, open.file == file { return open.descriptor }
    if let open { close(open.descriptor) }
    open = nil
    let name = files[file].name
    let descriptor = try Self.open(isFile ? path : "\(path)/\(name)", name)
    open = (file, descriptor)
    return descriptor
  }

  /// Opens a regular file; a FIFO would wait for its other end for ever.
  private static func open(_ path: String, _ name: String) throws(LogTextError) -> Int32 {
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw LogTextError(file: name, code: errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw LogTextError(file: name, code: EINVAL)
    }
    return descriptor
  }
}

/// What stands in a directory.
private struct Listing {
  /// The names of the prune records and the segments, in the order of their numbers.
  var names: [String]
  var ignored: [String] = []
  var ignoredCount = 0

  init(names: [String]) {
    self.names = names
  }

  init(of path: String) throws(LogTextError) {
    guard let directory = unsafe opendir(path) else {
      throw LogTextError(file: path, code: errno)
    }
    defer { unsafe closedir(directory) }
    var numbers: [Int64] = []
    names = []
    errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = LogFileName.number(in: name) {
        numbers.append(number)
      } else if name != ".", name != ".." {
        ignore(name)
      }
      errno = 0
    }
    guard errno == 0 else { throw LogTextError(file: path, code: errno) }
    names = numbers.sorted().map(LogFileName.name)
  }

  private mutating func ignore(_ name: String) {
    ignoredCount += 1
    ignored = Array((ignored + [name]).sorted().prefix(LogFolder.shownNames))
  }
}
