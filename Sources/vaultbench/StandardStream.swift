import Glibc

/// Where the program's words go.
enum StandardStream {
  /// Writes to standard output.
  static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a line to standard error.
  static func note(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    let octets = Array(text.utf8)
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      guard count > 0 || errno == EINTR else { return }
      start += max(count, 0)
    }
  }
}
