package import AccessPolicy
import CVaultSystem
import Glibc

/// A socket that clients connect to, and, when the server made it, the file that stands for it.
package struct ListeningSocket: Sendable {
  /// The socket file of a listener the server bound itself.
  struct File: Sendable {
    /// The locked directory it is in.
    let directory: OwnedDescriptor
    let device: dev_t
    let inode: ino_t
  }

  /// Which socket it is.
  package let endpoint: Endpoint
  let descriptor: OwnedDescriptor
  let file: File?

  /// The name of the socket in its directory.
  static let name = "vault.sock"

  init(endpoint: Endpoint, descriptor: OwnedDescriptor, file: File?) throws(ServerError) {
    self.endpoint = endpoint
    self.descriptor = descriptor
    self.file = file
    // What a client sends right after connecting carries its credentials only if the listener asks
    // for them by then, so this comes before `listen`.
    let failure = vault_pass_credentials(descriptor.number)
    guard failure == 0 else { throw .system(call: "setsockopt(SO_PASSCRED)", errno: failure) }
    let flags = fcntl(descriptor.number, F_GETFL)
    guard flags >= 0, fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw .system(call: "fcntl", errno: errno)
    }
  }

  /// Makes both sockets under a runtime directory.
  ///
  /// - Parameter runtime: the directory, made when it is missing.
  /// - Returns: the client and the admin socket, listening.
  /// - Throws: ``ServerError`` when a directory is not safe or a path is taken.
  package static func open(runtime: String) throws(ServerError) -> [ListeningSocket] {
    let directory = try RuntimeDirectory(path: runtime, mode: 0o755)
    var opened: [ListeningSocket] = []
    for endpoint in Endpoint.allCases {
      do throws(ServerError) {
        // Searchable, not readable: who may connect is decided by the caller's credentials.
        let place = try directory.subdirectory(endpoint.rawValue, mode: 0o711)
        opened.append(try open(endpoint, in: place))
      } catch {
        for socket in opened { socket.retire() }
        throw error
      }
    }
    return opened
  }

  private static func open(
    _ endpoint: Endpoint, in directory: RuntimeDirectory
  ) throws(ServerError) -> ListeningSocket {
    let path = "\(directory.path)/\(name)"
    let limit = vault_unix_path_limit()
    guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
    try directory.lock(for: path)
    try directory.removeStaleSocket(name, path: path)

    let number = unsafe vault_bind_unix(path)
    guard number != -EADDRINUSE else {
      throw .pathTaken(path: path, reason: "something was put there just now")
    }
    guard number >= 0 else { throw .system(call: "bind \(path)", errno: -number) }
    let descriptor = OwnedDescriptor(number)
    // The path was bound by name; that it is in the directory that was checked is seen here.
    let status = try directory.status(of: name)
    guard let status, status.isSocket, status.owner == geteuid() else {
      throw .unsafeDirectory(path: directory.path, reason: "it was exchanged during start")
    }
    let socket = try ListeningSocket(
      endpoint: endpoint, descriptor: descriptor,
      file: File(
        directory: directory.descriptor, device: status.device, inode: status.inode))
    guard unsafe fchmodat(directory.descriptor.number, name, 0o666, 0) == 0 else {
      let problem = errno
      socket.retire()
      throw .system(call: "chmod \(path)", errno: problem)
    }
    guard listen(number, SOMAXCONN) == 0 else {
      let problem = errno
      socket.retire()
      throw .system(call: "listen", errno: problem)
    }
    return socket
  }

  /// Takes no more connections and removes the socket file, if it is still the one that was made:
  /// what somebody else has put in its place stays.
  ///
  /// A socket that systemd passed is left as it is, for the next start.
  func retire() {
    guard let file else { return }
    shutdown(descriptor.number, Int32(SHUT_RDWR))
    let status = try? FileStatus(name: Self.name, in: file.directory.number)
    guard let status, status.device == file.device, status.inode == file.inode else { return }
    _ = unsafe unlinkat(file.directory.number, Self.name, 0)
  }
}
