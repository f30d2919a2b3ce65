import Glibc
import SecureMemory

/// A connected Unix stream socket, closed when it ends.
///
/// Every wait is a `poll` with a deadline, and no call raises SIGPIPE.
struct UnixStream: ~Copyable {
  private let descriptor: Int32

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: where the socket is.
  ///   - deadline: when to give up.
  /// - Throws: ``VaultClientError``.
  init(path: String, deadline: Deadline) throws(VaultClientError) {
    self.init(connected: try Self.connect(path, deadline))
  }

  private static func connect(
    _ path: String, _ deadline: Deadline
  ) throws(VaultClientError) -> Int32 {
    var address = try address(path)
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard made >= 0 else { throw .system(.socket, errno: errno) }
    // A Unix socket whose queue is full makes connect(2) wait as long as the send timeout says.
    let wait = max(deadline.remaining, 1)
    var timeout = timeval(tv_sec: Int(wait / 1000), tv_usec: Int(wait % 1000) * 1000)
    unsafe setsockopt(
      made, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    var failure: Int32
    repeat {
      failure = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.connect(made, $0, size) == 0 ? 0 : errno
        }
      }
    } while failure == EINTR
    guard failure == 0 else {
      close(made)
      throw error(connecting: failure)
    }
    return made
  }

  /// Takes over a connected socket.
  init(connected descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  private static func error(connecting failure: Int32) -> VaultClientError {
    switch failure {
    case ENOENT, ENOTDIR, ECONNREFUSED: .notRunning(errno: failure)
    case EACCES, EPERM, ELOOP: .refused(errno: failure)
    case EAGAIN, ETIMEDOUT: .timedOut(.connecting)
    default: .system(.connect, errno: failure)
    }
  }

  private static func address(_ path: String) throws(VaultClientError) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let octets = Array(path.utf8)
    // One place stays for the terminator.
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard !octets.isEmpty, octets.count <= limit, !octets.contains(0) else {
      throw .invalidPath(limit: limit)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: octets)
    }
    return address
  }

  /// Sends all octets.
  ///
  /// - Returns: `false` when the other end has closed before it took them all; it may have left an
  ///   answer.
  borrowing func send(
    _ octets: Span<UInt8>, deadline: Deadline
  ) throws(VaultClientError) -> Bool {
    var start = 0
    while start < octets.count {
      try wait(for: POLLOUT, deadline, .sending)
      let sent = unsafe octets.extracting(start..<octets.count).withUnsafeBufferPointer { rest in
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
        return count < 0 ? -Int(errno) : count
      }
      switch Int32(clamping: -sent) {
      case ...0: start += sent
      case EPIPE, ECONNRESET: return false
      case EINTR, EAGAIN: continue
      case let failure: throw .system(.send, errno: failure)
      }
    }
    return true
  }

  /// Waits for octets and appends those that have come.
  ///
  /// - Returns: how many; zero at the end of the stream.
  borrowing func receive(
    into buffer: inout [UInt8], atMost limit: Int, deadline: Deadline
  ) throws(VaultClientError) -> Int {
    let start = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: limit))
    while true {
      try wait(for: POLLIN, deadline, .waiting)
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
        let got = unsafe recv(descriptor, place.baseAddress, place.count, Int32(MSG_DONTWAIT))
        return got < 0 ? -Int(errno) : got
      }
      switch Int32(clamping: -count) {
      case ...0:
        buffer.removeLast(limit - count)
        return count
      case ECONNRESET:
        buffer.removeLast(limit)
        return 0
      case EINTR, EAGAIN: continue
      case let failure: throw .system(.recv, errno: failure)
      }
    }
  }

  /// Waits for octets and puts those that have come into guarded memory.
  ///
  /// - Returns: how many; zero at the end of the stream.
  borrowing func receive(
    into secret: inout SecretBytes, at start: Int, deadline: Deadline
  ) throws(VaultClientError) -> Int {
    while true {
      try wait(for: POLLIN, deadline, .waiting)
      let socket = descriptor
      let count = secret.withMutableBytes { octets in
        unsafe octets.withUnsafeMutableBytes { bytes in
          let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
          let got = unsafe recv(socket, place.baseAddress, place.count, Int32(MSG_DONTWAIT))
          return got < 0 ? -Int(errno) : got
        }
      }
      switch Int32(clamping: -count) {
      case ...0: return count
      case ECONNRESET: return 0
      case EINTR, EAGAIN: continue
      case let failure: throw .system(.recv, errno: failure)
      }
    }
  }

  private borrowing func wait(
    for event: Int32, _ deadline: Deadline, _ phase: CallPhase
  ) throws(VaultClientError) {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    while true {
      let ready = unsafe poll(&entry, 1, deadline.remaining)
      if ready > 0 { return }
      if ready == 0 { throw .timedOut(phase) }
      guard errno == EINTR else { throw .system(.poll, errno: errno) }
    }
  }
}
