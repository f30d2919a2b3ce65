import Foundation

/// The socket calls of the fake server.
enum UnixListener {
  struct Failure: Error {
    let call: String
    let number: Int32
  }

  static func open(_ path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: octets) }
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(made, 8) == 0 else { throw Failure(call: "bind", number: errno) }
    return made
  }

  /// The process at the other end of a connection, as the kernel says.
  static func peer(of socket: Int32) -> pid_t? {
    // A `ucred`: the process, its user and its group.
    var credentials: [Int32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<Int32>.size * credentials.count)
    guard unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      return nil
    }
    return credentials[0]
  }

  /// The next line without its line feed, `nil` at the end.
  static func line(from socket: Int32) -> String? {
    var line: [UInt8] = []
    var octet: UInt8 = 0
    while unsafe read(socket, &octet, 1) == 1 {
      if octet == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(octet)
    }
    return nil
  }

  static func send(_ text: String, to socket: Int32) {
    let octets = Array(text.utf8)
    _ = unsafe octets.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }
}
