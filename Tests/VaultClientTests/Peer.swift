import Foundation
import Synchronization

@testable import VaultClient

/// The other end of a connection: a thread that answers lines.
final class Peer: Sendable {
  struct Failure: Error {
    let number: Int32
  }

  private let lines = Mutex<[String]>([])
  private let client: Int32

  /// Answers each request with lines.
  convenience init(lines answer: @escaping @Sendable (String) -> [String]) throws {
    try self.init(serving: { peer, socket in
      while let line = Self.line(from: socket) {
        peer.lines.withLock { $0.append(line) }
        for text in answer(line) { Self.send(text + "\n", to: socket) }
      }
    })
  }

  /// Answers the first request with pieces of text as they are, then closes.
  convenience init(pieces: @escaping @Sendable (String) -> [String]) throws {
    try self.init(serving: { _, socket in
      guard let line = Self.line(from: socket) else { return }
      for text in pieces(line) { Self.send(text, to: socket) }
    })
  }

  /// Neither reads nor answers, but stays.
  init(silent: Void) throws {
    client = try Self.pair().0
  }

  /// Has answered and closed before anything was sent.
  init(closedAfter text: String) throws {
    let ends = try Self.pair()
    client = ends.0
    Self.send(text, to: ends.1)
    close(ends.1)
  }

  private init(serving serve: @escaping @Sendable (Peer, Int32) -> Void) throws {
    let ends = try Self.pair()
    client = ends.0
    Thread.detachNewThread { [self] in
      serve(self, ends.1)
      close(ends.1)
    }
  }

  /// The lines that came.
  var received: [String] { lines.withLock { $0 } }

  /// The client's end; to be taken once.
  func connection(_ timeout: Int) -> VaultConnection {
    VaultConnection(connected: UnixStream(connected: client), timeout: timeout)
  }

  static func listen(_ path: String, queue: Int32 = 8) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: octets) }
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, Glibc.listen(made, queue) == 0 else { throw Failure(number: errno) }
    return made
  }

  private static func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Failure(number: errno)
    }
    return (ends[0], ends[1])
  }

  private static func line(from socket: Int32) -> String? {
    var line: [UInt8] = []
    var octet: UInt8 = 0
    while unsafe read(socket, &octet, 1) == 1 {
      if octet == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(octet)
    }
    return nil
  }

  private static func send(_ text: String, to socket: Int32) {
    var octets = Array(text.utf8)[...]
    while !octets.isEmpty {
      let count = unsafe octets.withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      octets = octets.dropFirst(count)
    }
  }
}
