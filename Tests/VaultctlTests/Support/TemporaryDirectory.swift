import Foundation

/// A directory that goes with its owner; its path is short enough for sockets in it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = "/tmp/latchkey-\(UUID().uuidString.prefix(13).lowercased())"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
