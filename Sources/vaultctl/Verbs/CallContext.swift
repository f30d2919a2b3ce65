import CommandLineOptions
import SecureMemory
import VaultAPI
import VaultClient
import WireCoding

/// What a command works with: its command line, and the way to the vault.
struct CallContext: Sendable {
  let line: ParsedCommand

  /// How long a call may take that derives a key from a passphrase, in milliseconds: it may also
  /// wait for its turn behind wrong attempts.
  static let slowTimeout = 180_000

  /// Makes one call.
  ///
  /// - Parameters:
  ///   - request: the call.
  ///   - timeout: how long it may take unless `--timeout` says so, in milliseconds.
  /// - Returns: the result.
  /// - Throws: ``CommandFailure``.
  func call(
    _ request: VaultRequest, timeout: Int = 30_000
  ) throws(CommandFailure) -> JSONValue {
    try connected(isAdmin: request.method.isAdminOnly, timeout) {
      connection throws(VaultClientError) in try connection.call(request)
    }
  }

  /// Makes one call whose secrets are for whoever makes it, and so are shown with the rest.
  ///
  /// - Parameter request: the call.
  /// - Returns: the result, its secrets behind the other members.
  /// - Throws: ``CommandFailure``.
  func callShowing(_ request: VaultRequest) throws(CommandFailure) -> JSONValue {
    try connected(isAdmin: request.method.isAdminOnly, 30_000) {
      connection throws(VaultClientError) in
      let answer = try connection.callForSecrets(request)
      guard case .object(let members) = answer.value else { return answer.value }
      let shown = answer.secrets.sorted { $0.key < $1.key }.map { name, secret in
        JSONMember(name: name, value: .string(secret.shownText))
      }
      return .object(members + shown)
    }
  }

  /// Makes one call by the name of its method.
  func call(
    method: String, params: JSONValue, isAdmin: Bool
  ) throws(CommandFailure) -> JSONValue {
    try connected(isAdmin: isAdmin, 30_000) { connection throws(VaultClientError) in
      try connection.call(method: method, params: params)
    }
  }

  private func connected(
    isAdmin: Bool, _ timeout: Int,
    _ body: (inout VaultConnection) throws(VaultClientError) -> JSONValue
  ) throws(CommandFailure) -> JSONValue {
    var session = try session(isAdmin: isAdmin, timeout)
    return try session.with(body)
  }

  /// Connects for several calls, each of which may take so many milliseconds unless `--timeout` says
  /// otherwise.
  func session(
    isAdmin: Bool = false, _ timeout: Int = 30_000
  ) throws(CommandFailure) -> VaultSession {
    try VaultSession(
      SocketChoice(line, isAdmin: isAdmin),
      timeout: line[Options.timeout].map { $0 * 1000 } ?? timeout)
  }
}

extension SecretBox {
  /// The text, which is about to be shown.
  fileprivate var shownText: String {
    bytes.withBytes { octets in
      String(decoding: octets.indices.map { octets[$0] }, as: UTF8.self)
    }
  }
}
