import VaultAPI
import VaultClient

extension ExitCode {
  /// The exit code of each class of error on the wire.
  init(_ code: RPCErrorCode?) {
    self =
      switch code {
      case .wrongSecret: .wrongSecret
      case .damaged: .damaged
      case .notFound: .notFound
      case .conflict, .revoked, .expired, .notYetValid, .keyUnusable, .passMissing,
        .readerUntrusted, .protocolError:
        .conflict
      case .invalidParams, .tooLarge: .badData
      case .sealed, .auditUnavailable, .storageFull, .clockUncertain: .unavailable
      case .rateLimited, .busy: .tryAgain
      case .forbidden: .forbidden
      case .internalError: .internalError
      case .parseError, .invalidRequest, .methodNotFound, .unsupported: .protocolMismatch
      case nil: .failure
      }
  }
}

extension CommandFailure {
  /// A refusal by the server.
  init(_ failure: ServerFailure) {
    let hint: String? =
      switch failure.code {
      // The vault may say so itself.
      case .sealed where failure.message.contains("vaultctl unseal"): nil
      case .sealed: "unseal it with `vaultctl unseal`"
      case .methodNotFound, .unsupported:
        "the vault may be older than this vaultctl; compare `vaultctl status` and `--version`"
      // A wrong secret has been answered with how long to wait.
      case .rateLimited where failure.message.contains(": wait "): nil
      case .rateLimited: failure.retryAfter.map { "there is room for it in \(Self.words($0))" }
      case .busy: failure.retryAfter.map { "it is free again in \(Self.words($0))" }
      default: nil
      }
    let field = failure.field.map { " (field \($0))" } ?? ""
    // A field the message names already need not be said twice.
    let isNamed = failure.field.map(failure.message.contains) ?? true
    self.init(
      ExitCode(failure.code), failure.message + (isNamed ? "" : field), hint: hint,
      server: failure)
  }

  /// A time to wait, never shorter than it is.
  private static func words(_ milliseconds: Int64) -> String {
    if milliseconds < 1_000 { return "\(milliseconds) ms" }
    return "\(milliseconds / 1_000 + (milliseconds % 1_000 > 0 ? 1 : 0)) s"
  }
}
