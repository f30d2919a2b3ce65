import Foundation
import Glibc

/// A plain blocking client of one of the vault's sockets; it gives up after thirty seconds.
final class VaultSocket {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isOpen = true
  private var nextID = 1

  /// A system call of the client failed.
  struct Failure: Error {
    let errno: Int32
  }

  /// No answer came.
  struct Silence: Error {}

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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
      // The end of the object closes the descriptor.
      throw Failure(errno: errno)
    }
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
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

  /// Sends octets as they are; tells whether all of them went out.
  @discardableResult
  func send(_ octets: [UInt8]) -> Bool {
    var sent = 0
    while sent < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe Glibc.send(descriptor, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// The next line, `nil` at the end or when time is over.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var piece = [UInt8](repeating: 0, count: 65536)
      let count = unsafe recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      buffer += piece[..<count]
    }
  }

  /// The next answer.
  func answer() throws -> Answer {
    guard let line = line() else { throw Silence() }
    return Answer(line)
  }

  /// Every answer until the vault closes.
  func answersToEnd() -> [Answer] {
    var answers: [Answer] = []
    while let line = line() { answers.append(Answer(line)) }
    return answers
  }

  /// Sends a request without waiting for its answer.
  func post(_ method: String, _ params: [String: Any] = [:], id: Any? = nil) throws {
    let number = nextID
    nextID += 1
    let request: [String: Any] = [
      "jsonrpc": "2.0", "id": id ?? number, "method": method, "params": params,
    ]
    let data = try JSONSerialization.data(withJSONObject: request, options: .withoutEscapingSlashes)
    guard send(Array(data) + [0x0A]) else { throw Failure(errno: errno) }
  }

  /// Makes one call.
  @discardableResult
  func call(_ method: String, _ params: [String: Any] = [:]) throws -> Answer {
    try post(method, params)
    return try answer()
  }
}
