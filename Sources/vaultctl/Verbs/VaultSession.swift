import VaultAPI
import VaultClient
import WireCoding

/// A connection for several calls that belong together.
struct VaultSession: ~Copyable {
  private var connection: VaultConnection
  /// The socket, for those who are told of a failure.
  private let socket: String

  /// Connects.
  ///
  /// - Parameters:
  ///   - choice: where the vault is looked for.
  ///   - timeout: how long connecting, and then each call, may take, in milliseconds.
  /// - Throws: ``CommandFailure``.
  init(_ choice: SocketChoice, timeout: Int) throws(CommandFailure) {
    connection = try choice.connect(timeout: timeout)
    socket = choice.candidates[0]
  }

  /// Makes one call; after a failure that is not the vault's own the session is of no more use.
  mutating func call(_ request: VaultRequest) throws(CommandFailure) -> JSONValue {
    try with { connection throws(VaultClientError) in try connection.call(request) }
  }

  /// Uses the connection.
  mutating func with(
    _ body: (inout VaultConnection) throws(VaultClientError) -> JSONValue
  ) throws(CommandFailure) -> JSONValue {
    do throws(VaultClientError) {
      return try body(&connection)
    } catch {
      throw CommandFailure(error, socket: socket)
    }
  }
}
