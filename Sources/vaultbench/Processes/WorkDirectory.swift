import Glibc

/// A new directory that goes with its owner, and everything in it.
final class WorkDirectory {
  let path: String

  /// Makes one below a directory.
  init(below parent: String) throws(BenchFailure) {
    path = "\(parent)/vaultbench-\(getpid())"
    // Clients of other users pass through to the sockets; the vault closes its own directory.
    guard unsafe mkdir(path, 0o711) == 0 else {
      throw BenchFailure("\(path): \(SystemText.error(errno))")
    }
  }

  /// Whether it is in memory, where making something durable costs nothing.
  var isInMemory: Bool {
    guard let real = unsafe realpath(path, nil) else { return false }
    defer { unsafe free(real) }
    let place = unsafe String(cString: real) + "/"
    var found = (length: 0, type: "")
    // Device, mount point, type; the longest mount point counts, and the last of those.
    for line in SystemText.file("/proc/mounts").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 2 else { continue }
      let mount = words[1] == "/" ? "/" : words[1] + "/"
      if place.hasPrefix(mount), mount.utf8.count >= found.length {
        found = (mount.utf8.count, String(words[2]))
      }
    }
    return ["tmpfs", "ramfs"].contains(found.type)
  }

  deinit { Self.remove(path) }

  /// Removes a file or, after what is in it, a directory; a link goes, not what it points to.
  private static func remove(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { return _ = unsafe unlink(path) }
    if let directory = unsafe opendir(path) {
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      unsafe closedir(directory)
    }
    unsafe rmdir(path)
  }
}
