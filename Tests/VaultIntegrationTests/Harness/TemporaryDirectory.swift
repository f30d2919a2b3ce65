import Foundation
import Glibc

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let path: String

  /// Makes it; paths in it stay short enough for sockets.
  init() throws {
    path = "/tmp/lk-it-\(UUID().uuidString.prefix(13))"
    // Others may pass through, as the clients and daemons of other users do.
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
  }

  /// Gives the directory to another user.
  func give(to uid: uid_t) {
    _ = unsafe chown(path, uid, uid)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
