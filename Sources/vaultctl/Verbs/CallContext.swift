import CommandLineOptions
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
    let choice = SocketChoice(line, isAdmin: isAdmin)
    let milliseconds = line[Options.timeout].map { $0 * 1000 } ?? timeout
    var connection = try choice.connect(timeout: milliseconds)
    do throws(VaultClientError) {
      return try body(&connection)
    } catch {
      throw CommandFailure(error, socket: choice.candidates[0])
    }
  }
}
