import CommandLineOptions
import VaultClient

/// Where the vault is looked for.
struct SocketChoice: Equatable, Sendable {
  /// Where `vaultd` makes its sockets unless told otherwise.
  static let defaultRuntime = "/run/latchkey"

  /// The paths to try, the best first.
  let candidates: [String]

  /// Chooses the sockets of a command.
  ///
  /// - Parameters:
  ///   - line: what was typed.
  ///   - isAdmin: whether only the admin socket serves the command.
  init(_ line: ParsedCommand, isAdmin: Bool) {
    if let path = line[Options.socket] {
      candidates = [path]
      return
    }
    let directory = line[Options.runtime] ?? Self.defaultRuntime
    let admin = "\(directory)/admin/vault.sock"
    // The admin socket serves every method, so it does for a client socket that is out of reach.
    candidates = isAdmin ? [admin] : ["\(directory)/client/vault.sock", admin]
  }

  /// Connects to the first that answers; when none does, the first one's reason is told.
  func connect(timeout: Int) throws(CommandFailure) -> VaultConnection {
    var first: CommandFailure?
    for path in candidates {
      do throws(VaultClientError) {
        return try VaultConnection(path: path, timeout: timeout)
      } catch {
        let failure = CommandFailure(error, socket: path)
        first = first ?? failure
        switch error {
        case .notRunning, .refused: continue
        default: throw failure
        }
      }
    }
    throw first ?? .usage("no socket is named")
  }
}
