import CVaultSystem
import Glibc

/// The process that connected a socket, as far as the kernel lets it be held on to.
enum PeerProcess: Sendable {
  /// A pidfd of it: unlike its number, that never comes to mean another process.
  case held(OwnedDescriptor)
  /// It had ended, and the kernel gives no pidfd of it any more.
  case ended
  /// The kernel gives no pidfd of who connected (before Linux 6.5).
  ///
  /// Opening one by the number would not do: the process may have ended, and another, perhaps one
  /// with more rights, have got its number.
  case unknown

  /// Takes hold of the process that connected.
  ///
  /// - Throws: ``PeerIdentity/Failure/shortage(errno:)``.
  init(of socket: Int32) throws(PeerIdentity.Failure) {
    let number = vault_peer_process(socket)
    switch number {
    case 0...: self = .held(OwnedDescriptor(number))
    case -ESRCH: self = .ended
    case -EMFILE, -ENFILE, -ENOMEM: throw .shortage(errno: -number)
    default: self = .unknown
    }
  }

  /// Whether it certainly has not ended.
  var isAlive: Bool {
    guard case .held(let process) = self else { return false }
    return vault_process_ended(process.number) == 0
  }

  /// The systemd unit that the process is in.
  ///
  /// - Parameter pid: its number, as the socket tells it.
  /// - Returns: the unit; `nil` when there is none, or any doubt.
  /// - Throws: ``PeerIdentity/Failure/shortage(errno:)``.
  func unit(pid: pid_t) throws(PeerIdentity.Failure) -> String? {
    guard case .held(let process) = self else { return nil }
    // /proc is read by number. That number is the process's as this /proc counts, and it was still
    // taken after the reading, so what was read is about that process.
    let info = try Self.contents(of: "/proc/self/fdinfo/\(process.number)")
    guard let info, Self.number(in: info) == pid,
      let groups = try Self.contents(of: "/proc/\(pid)/cgroup"), isAlive
    else { return nil }
    return ControlGroups.unit(in: groups)
  }

  /// The `Pid:` of a pidfd's information: -1 when the process has ended.
  private static func number(in info: [UInt8]) -> pid_t? {
    let name = "Pid:\t".utf8
    let lines = info.split(separator: newline).filter { $0.starts(with: name) }
    guard lines.count == 1 else { return nil }
    return pid_t(String(decoding: lines[0].dropFirst(name.count), as: UTF8.self))
  }

  /// What a file of /proc holds; `nil` when it is not there, or longer than what it tells can be.
  private static func contents(of path: String) throws(PeerIdentity.Failure) -> [UInt8]? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else {
      guard errno != EMFILE, errno != ENFILE else { throw .shortage(errno: errno) }
      return nil
    }
    let file = OwnedDescriptor(number)
    var octets = [UInt8](repeating: 0, count: 16 << 10)
    var count = 0
    while count < octets.count {
      let (start, room) = (count, octets.count - count)
      let got = unsafe octets.withUnsafeMutableBytes { bytes in
        unsafe bytes.baseAddress.map { unsafe read(file.number, $0 + start, room) } ?? 0
      }
      guard got >= 0 else { return nil }
      guard got > 0 else { return Array(octets.prefix(count)) }
      count += got
    }
    return nil
  }
}
