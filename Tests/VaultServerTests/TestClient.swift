import Glibc

/// A plain blocking client; reading gives up after ten seconds.
final class TestClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private(set) var isOpen = true

  struct Failure: Error {
    let errno: Int32
  }

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: Array(path.utf8).prefix(room.count - 1))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, size)
      }
    }
    guard result == 0 else {
      // The end of the object closes the descriptor; closing it here too might close another's.
      throw Failure(errno: errno)
    }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    close()
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(descriptor)
  }

  /// Says that nothing more will be sent.
  func endInput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Sends text as it is; tells whether all of it went out.
  @discardableResult
  func send(_ text: String) -> Bool {
    send(Array(text.utf8))
  }

  @discardableResult
  func send(_ octets: [UInt8]) -> Bool {
    var sent = 0
    while sent < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe Glibc.send(
          descriptor, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Sends what the socket takes without waiting, over and over until it takes no more.
  func sendUntilFull(_ text: String) -> Int {
    let octets = Array(text.utf8)
    var total = 0
    while true {
      let count = unsafe octets.withUnsafeBytes {
        unsafe Glibc.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      guard count > 0 else { return total }
      total += count
    }
  }

  /// The next line, `nil` at the end or when ten seconds are over.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard receive() > 0 else { return nil }
    }
  }

  /// Every line until the server closes.
  func linesToEnd() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Whether the server has closed, everything before having been read.
  func isAtEnd() -> Bool {
    guard buffer.isEmpty else { return false }
    let count = receive()
    return count == 0 || (count < 0 && errno == ECONNRESET)
  }

  private func receive() -> Int {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(descriptor, &piece, piece.count, 0)
    if count > 0 { buffer += piece[..<count] }
    return count
  }
}
