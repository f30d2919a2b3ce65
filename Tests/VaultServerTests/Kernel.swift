import Foundation
import Glibc

/// What the kernel under the tests can do.
enum Kernel {
  static func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return (version.majorVersion, version.minorVersion) >= (major, minor)
  }

  /// Whether a temporary directory may hold setuid programs.
  static let honoursSetuid: Bool = {
    var status = statvfs()
    guard unsafe statvfs(FileManager.default.temporaryDirectory.path, &status) == 0 else {
      return false
    }
    return status.f_flag & UInt(ST_NOSUID) == 0
  }()

  /// Whether control groups can be made, in one hierarchy at least.
  static let makesControlGroups: Bool = {
    let places = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd"]
    return places.contains { place in
      // Only in a hierarchy has a new directory files at once.
      let made = "\(place)/lktest\(getpid())"
      guard unsafe mkdir(made, 0o755) == 0 else { return false }
      defer { unsafe rmdir(made) }
      return unsafe access(made + "/cgroup.procs", W_OK) == 0
    }
  }()

  /// Whether a process can be put into user and process namespaces of its own.
  static let makesNamespaces: Bool = {
    let words = ["--fork", "--user", "--map-root-user", "--pid", "true"]
    guard geteuid() == 0 else { return false }
    return (try? Script(program: "/usr/bin/unshare", words).run().status) == 0
  }()
}
