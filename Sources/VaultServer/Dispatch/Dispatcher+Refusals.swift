import VaultAPI
import VaultCore

extension Dispatcher {
  /// Refuses a call that the vault has not seen, and records that.
  func turnAway(_ call: Call, _ error: RPCError) {
    vault.recordDenial(call.method, error, by: call.subject)
    call.fail(error)
  }
}

extension Vault {
  /// Records a line that is no request, or a request with a parameter that is refused.
  ///
  /// - Parameters:
  ///   - method: the method, when it is a known one.
  ///   - error: what the caller is told.
  ///   - subject: who asked.
  func recordDenial(_ method: VaultMethod?, _ error: RPCError, by subject: AuditEntry.Subject) {
    var entry = AuditEntry(method?.word ?? "request.refused", by: subject)
    entry.code = VaultError.Code(rawValue: error.code.name)
    // Out of locked memory, nobody can tell what was asked.
    recordDenial(entry, error.code == .busy ? .rateLimited : .malformed)
  }

  /// Records what the server has refused by itself.
  ///
  /// - Parameters:
  ///   - method: the method, or a word for the connection; `nil` for a line that is no request.
  ///   - refusal: what the caller is told.
  ///   - subject: who asked.
  func recordDenial(
    _ method: StaticString?, _ refusal: FramingRefusal, by subject: AuditEntry.Subject
  ) {
    var entry = AuditEntry(method ?? "request.refused", by: subject)
    entry.code = VaultError.Code(rawValue: refusal.code)
    recordDenial(entry, refusal.denial)
  }
}

extension FramingRefusal {
  /// What was wrong with what was refused.
  fileprivate var denial: DenialKind {
    switch self {
    case .forbidden: .forbidden
    case .rateLimited, .busy: .rateLimited
    case .tooLarge, .parseError, .internalError: .malformed
    }
  }
}
