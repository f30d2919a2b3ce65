import CVaultSystem
import Glibc

/// A connection that blocks, and takes lines off what comes in.
final class LineSocket {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// The octets at the front of the buffer that are half a line.
  private var held = 0

  /// Connects.
  init(_ path: String) throws(BenchFailure) {
    socket = unsafe vault_connect_unix(path)
    guard socket >= 0 else { throw BenchFailure("\(path): \(SystemText.error(-socket))") }
    // Connecting did not wait; the rest does.
    let flags = fcntl(socket, F_GETFL)
    _ = fcntl(socket, F_SETFL, flags & ~O_NONBLOCK)
  }

  deinit { close(socket) }

  /// Sends all octets.
  func send(_ octets: [UInt8]) throws(BenchFailure) {
    var start = 0
    while start < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        return unsafe Glibc.send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("send", errno) }
      start += count
    }
  }

  /// Waits for octets, and gives the lines that are complete with them, without line feeds.
  func receive(_ take: (ArraySlice<UInt8>) -> Void) throws(BenchFailure) {
    if held == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[held...])
      return unsafe recv(socket, room.baseAddress, room.count, 0)
    }
    if count < 0, errno == EINTR { return try Interruption.check() }
    guard count > 0 else { throw BenchFailure("the vault has closed the connection") }
    var start = 0
    let end = held + count
    while let feed = buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) {
      take(buffer[start..<feed])
      start = feed + 1
    }
    buffer.replaceSubrange(0..<(end - start), with: buffer[start..<end])
    held = end - start
  }
}
