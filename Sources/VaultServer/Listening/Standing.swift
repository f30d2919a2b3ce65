package import AccessPolicy

/// What the configuration file alone gives a caller.
///
/// It holds whether the vault is sealed or not: the policy cannot be read while it is, and somebody
/// has to be able to unseal. Beyond what is said here, the configuration grants nothing.
package enum Standing: Int, CaseIterable, Hashable, Sendable {
  /// It does not name the caller: there is what the policy grants, and nothing else.
  case unnamed
  /// `allow-uid` or `allow-gid`: may connect to the client socket, and ask for `hello`, `health` and
  /// `status`.
  case client
  /// Root, the daemon's own user, `admin-uid` or `admin-gid`: may connect to both sockets, ask the
  /// same, `unseal`, and have `vault.metrics` of a sealed vault.
  case administrator

  /// Whether it is enough to connect to a socket.
  package func opens(_ endpoint: Endpoint) -> Bool {
    switch self {
    case .unnamed: false
    case .client: endpoint == .client
    case .administrator: true
    }
  }
}
