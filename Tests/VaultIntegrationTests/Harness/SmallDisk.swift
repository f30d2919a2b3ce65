import Foundation
import Glibc
import Testing

/// A small file system of its own; it goes with the object.
final class SmallDisk {
  let path: String

  /// What keeps a test that needs one from running.
  static let why: Comment = "a small tmpfs cannot be mounted here: that takes CAP_SYS_ADMIN"

  /// Whether one can be mounted here.
  static let canMount: Bool = {
    guard let directory = try? TemporaryDirectory() else { return false }
    return SmallDisk(at: directory.path + "/probe", size: "64k") != nil
  }()

  init?(at path: String, size: String) {
    self.path = path
    unsafe mkdir(path, 0o755)
    let mount = try? Program(
      "/bin/mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path]
    ).run()
    guard mount?.isGood == true else { return nil }
  }

  /// Takes all the room there is.
  func fill() throws {
    let file = unsafe open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let octets = [UInt8](repeating: 0x55, count: 4096)
    while unsafe write(file, octets, octets.count) > 0 {}
    try #require(errno == ENOSPC)
  }

  func empty() {
    unsafe unlink("\(path)/filler")
  }

  /// Makes it read-only, `ro`, or writable again, `rw`.
  func remount(_ option: String) throws {
    let outcome = try Program("/bin/mount", ["-o", "remount,\(option)", path]).run()
    try #require(outcome.isGood, "\(outcome.errors)")
  }

  /// Takes it out of the tree, which may then be removed.
  func detach() {
    _ = try? Program("/bin/umount", ["-l", path]).run()
  }

  deinit {
    detach()
  }
}
