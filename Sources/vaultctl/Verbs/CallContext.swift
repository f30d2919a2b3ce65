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
      return answer.secrets.sorted { $0.key < $1.key }.reduce(answer.value) { value, secret in
        value.adding(.string(secret.value.shownText), at: secret.key.split(separator: ".")[...])
      }
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

extension JSONValue {
  /// The object with one more member, in an object within when the path is longer than one name.
  fileprivate func adding(_ value: JSONValue, at path: ArraySlice<Substring>) -> JSONValue {
    guard case .object(var members) = self, let name = path.first else { return self }
    guard path.count > 1 else {
      return .object(members + [JSONMember(name: String(name), value: value)])
    }
    guard let place = members.firstIndex(where: { $0.name == name }) else { return self }
    let inner = members[place].value.adding(value, at: path.dropFirst())
    members[place] = JSONMember(name: String(name), value: inner)
    return .object(members)
  }
}
