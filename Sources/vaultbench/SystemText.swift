import Glibc

/// Words and paths that the system has.
enum SystemText {
  /// What the system says of an `errno`.
  static func error(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// The program that runs, as it was started, links resolved.
  static func ownPath() throws(BenchFailure) -> String {
    var octets = [UInt8](repeating: 0, count: 4096)
    let count = unsafe octets.withUnsafeMutableBytes { buffer in
      unsafe buffer.bindMemory(to: CChar.self).baseAddress.map {
        unsafe readlink("/proc/self/exe", $0, 4096)
      }
    }
    guard let count, count > 0 else { throw .system("readlink", errno) }
    return String(decoding: octets[..<count], as: UTF8.self)
  }

  /// A variable of the environment that is set and not empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// A whole small file, such as one of `/proc`; empty when it cannot be read.
  static func file(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var octets: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while octets.count < 1 << 20 {
      let count = unsafe read(file, &piece, piece.count)
      guard count > 0 else { break }
      octets += piece[..<count]
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
