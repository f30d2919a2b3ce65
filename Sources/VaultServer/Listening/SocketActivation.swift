import AccessPolicy
import CVaultSystem
import Glibc

/// Takes over the sockets systemd has opened (sd_listen_fds(3), without its library).
package enum SocketActivation {
  /// The first descriptor that is passed.
  static let firstDescriptor: Int32 = 3

  /// Takes the passed sockets and removes the variables, so that no child takes them too.
  ///
  /// To be called once, before there are other threads.
  ///
  /// - Returns: the client and the admin socket, `nil` when none were passed to this process.
  /// - Throws: ``ServerError/badActivation(_:)`` unless exactly the two were passed.
  package static func take() throws(ServerError) -> [ListeningSocket]? {
    let (process, count, names) = (
      variable("LISTEN_PID"), variable("LISTEN_FDS"), variable("LISTEN_FDNAMES")
    )
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    // Variables for another process are inherited by mistake.
    guard let process, pid_t(process) == getpid(), let count else { return nil }
    guard let number = Int32(count), (1...64).contains(number) else {
      throw .badActivation("LISTEN_FDS is \(count)")
    }
    let descriptors = (0..<number).map { firstDescriptor + $0 }
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let labels = (names ?? "").split(separator: ":", omittingEmptySubsequences: false)
    guard labels.count == descriptors.count else {
      throw .badActivation(
        "LISTEN_FDNAMES has \(labels.count) names for \(number) descriptors;"
          + " set FileDescriptorName=client and FileDescriptorName=admin")
    }
    return try sockets(descriptors, named: labels.map(String.init))
  }

  private static func sockets(
    _ descriptors: [Int32], named labels: [String]
  ) throws(ServerError) -> [ListeningSocket] {
    var found: [ListeningSocket] = []
    for (descriptor, label) in zip(descriptors, labels) {
      guard let endpoint = Endpoint(rawValue: label) else {
        throw .badActivation("a descriptor is named \"\(label)\", not client or admin")
      }
      guard !found.contains(where: { $0.endpoint == endpoint }) else {
        throw .badActivation("two descriptors are named \(label)")
      }
      guard vault_is_unix_listener(descriptor) == 1 else {
        throw .badActivation("\(label) is not a listening Unix stream socket")
      }
      // Clients may have connected and sent already; see ListeningSocket.init.
      guard vault_passes_credentials(descriptor) == 1 else {
        throw .badActivation("\(label) does not pass credentials; set PassCredentials=yes")
      }
      found.append(
        try ListeningSocket(
          endpoint: endpoint, descriptor: OwnedDescriptor(descriptor), file: nil))
    }
    for endpoint in Endpoint.allCases where !found.contains(where: { $0.endpoint == endpoint }) {
      throw .badActivation("no descriptor is named \(endpoint.rawValue)")
    }
    return found
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
