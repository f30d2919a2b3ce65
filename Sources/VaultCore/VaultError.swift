/// Why the vault refused or failed: one class of error, the field it is about, and what to do next.
///
/// The message is for people and never holds a secret, nor text that the caller supplied but for the
/// word of a policy that is refused.
public struct VaultError: Error, Hashable, Sendable {
  /// The class of the error; the raw value is the word that travels in `error.data.code`.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case sealed, forbidden, conflict, revoked, expired, busy, damaged, unsupported
    case notFound = "not_found"
    case notYetValid = "not_yet_valid"
    case keyUnusable = "key_unusable"
    case passMissing = "pass_missing"
    case readerUntrusted = "reader_untrusted"
    case protocolError = "protocol_error"
    case rateLimited = "rate_limited"
    case auditUnavailable = "audit_unavailable"
    case storageFull = "storage_full"
    case clockUncertain = "clock_uncertain"
    case tooLarge = "too_large"
    case wrongSecret = "wrong_secret"
    case invalidParameters = "invalid_params"
    case `internal`
    // Lines that never become calls: the vault itself does not meet them, its audit log does.
    case parseError = "parse_error"
    case invalidRequest = "invalid_request"
    case methodNotFound = "method_not_found"
  }

  /// The class of the error.
  public let code: Code
  /// The parameter at fault, as a path such as `pass.reader_groups[1].reader_group_id`.
  public let field: String?
  /// What happened and what to do next, in one sentence.
  public let message: String
  /// Whether the same call may succeed later without a change.
  public let retry: Bool
  /// After how many milliseconds it may, when that is known.
  public let retryAfter: Int64?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: the class of the error.
  ///   - message: what happened and what to do next.
  ///   - field: the parameter at fault.
  ///   - retry: whether the same call may succeed later.
  ///   - retryAfter: after how many milliseconds it may, when that is known.
  public init(
    _ code: Code, _ message: String, field: String? = nil, retry: Bool = false,
    retryAfter: Int64? = nil
  ) {
    self.code = code
    self.message = message
    self.field = field
    self.retry = retry
    self.retryAfter = retryAfter
  }

  /// The answer while the vault is sealed.
  package static let sealed = VaultError(
    .sealed, "the vault is sealed: unseal it with 'vaultctl unseal'", retry: true)

  /// The answer while the disk is full.
  static let storageFull = VaultError(
    .storageFull, "the disk is full, so nothing was done: make room and try again", retry: true)

  /// The answer when neither effect nor line could be made durable.
  static let auditUnavailable = VaultError(
    .auditUnavailable,
    "the audit record cannot be written, so nothing was done: see the daemon's log", retry: true)

  /// The answer while the audit segments are too far behind the database.
  static let auditBehind = VaultError(
    .auditUnavailable,
    "the audit segments cannot be written, so nothing was done: see 'vaultctl status'", retry: true)

  /// The answer when the device failed while effect and line were made durable.
  static let uncertain = VaultError(
    .auditUnavailable,
    "the device failed, and whether this was done is not known: see the daemon's log", retry: true)
}
