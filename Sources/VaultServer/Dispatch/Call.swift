import VaultAPI
import VaultCore

/// One request under way: whom to answer, and on whose behalf it runs.
struct Call: Sendable {
  /// What the answer carries.
  let id: RequestID
  /// The connection it came in by.
  let connection: UInt64
  /// Who asked.
  let subject: AuditEntry.Subject
  let reply: PendingReply

  /// Answers with a result.
  func succeed(_ result: some VaultResult) {
    reply.send(line: ResponseLine.success(id: id, result))
  }

  /// Answers with an error.
  func fail(_ error: RPCError) {
    reply.send(line: ResponseLine.failure(id: id, error))
  }

  /// Makes the function that answers with what the vault gives.
  func answer<Value>(
    _ result: @escaping @Sendable (Value) -> some VaultResult
  ) -> @Sendable (Result<Value, VaultError>) -> Void {
    { outcome in
      switch outcome {
      case .success(let value): succeed(result(value))
      case .failure(let error): fail(RPCError(error))
      }
    }
  }
}

extension RPCError {
  /// The vault's error as it stands in an answer.
  init(_ error: VaultError) {
    self.init(
      RPCErrorCode(error.code), message: error.message, field: error.field, retry: error.retry,
      retryAfter: error.retryAfter)
  }
}

extension RPCErrorCode {
  private static let byName = Dictionary(
    allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// The wire's code for one of the vault's; both lists have the same names, which a test holds.
  init(_ code: VaultError.Code) {
    self = Self.byName[code.rawValue] ?? .internalError
  }
}
