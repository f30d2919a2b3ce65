import Foundation

/// What the build has made, in the configuration that these tests were built in.
enum BuiltProducts {
  /// The directory of the test program, which is that of the binaries too, unless the environment
  /// names others: those of another configuration, or installed ones.
  static let directory: URL = {
    if let other = ProcessInfo.processInfo.environment["LATCHKEY_BINARIES"] {
      return URL(filePath: other)
    }
    let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: test).deletingLastPathComponent()
  }()

  /// The root of the package.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let vaultd = directory.appending(path: "vaultd").path
  static let vaultctl = directory.appending(path: "vaultctl").path
  static let vaultbench = directory.appending(path: "vaultbench").path

  /// The Python that `tools/setup` has made, with the packages of the independent reader.
  static let python = root.appending(path: ".build/venv/bin/python").path

  /// A script under `Tests/Interop`.
  static func interop(_ name: String) -> String {
    root.appending(path: "Tests/Interop/\(name)").path
  }
}
