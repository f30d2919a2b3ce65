import Glibc
import VaultStore

extension DiskImage {
  /// Writes the files a crash now would leave below a directory to another place.
  ///
  /// - Parameters:
  ///   - survival: what of the changes that nobody waited for reached the device.
  ///   - root: the directory whose contents are wanted, as it was recorded.
  ///   - target: an existing directory to put them in.
  /// - Returns: the paths of the files, relative to the root.
  /// - Throws: ``StoreError``.
  @discardableResult
  package func write(
    _ survival: Survival, below root: String, to target: String
  ) throws -> [String] {
    let files = SystemFiles()
    var written: [String] = []
    for (path, bytes) in contents(survival).sorted(by: { $0.key < $1.key })
    where path.hasPrefix(root + "/") {
      let relative = String(path.dropFirst(root.count + 1))
      let place = target + "/" + relative
      guard let bytes else {
        try files.makeDirectory(place, mode: 0o700)
        continue
      }
      let file = unsafe open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw StoreError.file(.makeFile, errno: errno) }
      defer { close(file) }
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress, $0.count)
      }
      guard count == bytes.count else { throw StoreError.file(.write, errno: errno) }
      written.append(relative)
    }
    return written
  }
}
