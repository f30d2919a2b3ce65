import Glibc

/// Writes to a descriptor until everything is out.
enum StandardStream {
  /// Writes octets.
  ///
  /// - Throws: ``CommandFailure`` ``ExitCode/outputFailed``, with no words when the reader of a pipe has gone, which
  ///   is its right.
  static func write(_ octets: [UInt8], to descriptor: Int32) throws(CommandFailure) {
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      guard count < 0 else {
        start += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EPIPE: throw CommandFailure(.outputFailed, "")
      case let failure:
        throw CommandFailure(
          .outputFailed, "the output cannot be written: \(systemMessage(failure))")
      }
    }
  }

  /// Writes a line to standard error; there is nobody to tell when that fails.
  static func note(_ line: String) {
    try? write(Array((line + "\n").utf8), to: STDERR_FILENO)
  }
}
