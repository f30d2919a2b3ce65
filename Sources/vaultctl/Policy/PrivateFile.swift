import Glibc

/// A file that nobody else can reach, in a directory of its own, for a program that works on it.
///
/// The directory keeps what that program puts beside the file private as well.
struct PrivateFile: Sendable {
  /// Where it is.
  let path: String
  let directory: String

  /// Makes one below `$TMPDIR`, or `/tmp`.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - octets: what it holds at first.
  /// - Throws: ``CommandFailure`` ``ExitCode/cannotCreate``.
  init(_ name: String, _ octets: [UInt8]) throws(CommandFailure) {
    let parent = Environment.variable("TMPDIR") ?? ""
    var template = Array(((parent.isEmpty ? "/tmp" : parent) + "/vaultctl-XXXXXX").utf8CString)
    // Made for its owner alone.
    guard unsafe mkdtemp(&template) != nil else {
      throw CommandFailure(
        .cannotCreate, "no directory can be made for a file: \(systemMessage(errno))",
        hint: "set TMPDIR to a directory you may write to")
    }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = "\(directory)/\(name)"
    do throws(CommandFailure) {
      try FileOutput.create(path, octets, mode: 0o600)
    } catch {
      remove()
      throw error
    }
  }

  /// Removes its directory if nothing is in it any more.
  ///
  /// - Returns: whether that is so.
  func removeIfGone() -> Bool { unsafe rmdir(directory) == 0 }

  /// Removes it, and what else is in its directory.
  func remove() {
    if let stream = unsafe opendir(directory) {
      while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
            unsafe String(cString: $0)
          }
        }
        if name != ".", name != ".." { unsafe unlink("\(directory)/\(name)") }
      }
      unsafe closedir(stream)
    }
    unsafe rmdir(directory)
  }
}
