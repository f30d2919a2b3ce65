/// The classes of errors, with the number each has on the wire.
public enum RPCErrorCode: Int64, CaseIterable, Hashable, Sendable {
  case parseError = -32700
  case invalidRequest = -32600
  case methodNotFound = -32601
  case invalidParams = -32602
  case internalError = -32603
  case sealed = -32001
  case forbidden = -32002
  case notFound = -32003
  case conflict = -32004
  case revoked = -32005
  case expired = -32006
  case notYetValid = -32007
  case keyUnusable = -32008
  case passMissing = -32009
  case readerUntrusted = -32010
  case protocolError = -32011
  case rateLimited = -32012
  case busy = -32013
  case auditUnavailable = -32014
  case storageFull = -32015
  case clockUncertain = -32016
  case damaged = -32017
  case tooLarge = -32018
  case unsupported = -32019
  case wrongSecret = -32020

  /// The number on the wire.
  public var number: Int64 { rawValue }

  /// The word in `error.data.code`.
  public var name: String {
    switch self {
    case .parseError: "parse_error"
    case .invalidRequest: "invalid_request"
    case .methodNotFound: "method_not_found"
    case .invalidParams: "invalid_params"
    case .internalError: "internal"
    case .sealed: "sealed"
    case .forbidden: "forbidden"
    case .notFound: "not_found"
    case .conflict: "conflict"
    case .revoked: "revoked"
    case .expired: "expired"
    case .notYetValid: "not_yet_valid"
    case .keyUnusable: "key_unusable"
    case .passMissing: "pass_missing"
    case .readerUntrusted: "reader_untrusted"
    case .protocolError: "protocol_error"
    case .rateLimited: "rate_limited"
    case .busy: "busy"
    case .auditUnavailable: "audit_unavailable"
    case .storageFull: "storage_full"
    case .clockUncertain: "clock_uncertain"
    case .damaged: "damaged"
    case .tooLarge: "too_large"
    case .unsupported: "unsupported"
    case .wrongSecret: "wrong_secret"
    }
  }

  /// Whether the same call may succeed later without a change to the call or its subject.
  public var isRetryable: Bool {
    switch self {
    case .sealed, .rateLimited, .busy, .auditUnavailable, .storageFull, .clockUncertain: true
    default: false
    }
  }

  /// What happened and what to do next, when nothing more particular is known.
  public var defaultMessage: String {
    switch self {
    case .parseError: "The line is not JSON of this protocol; correct it and send it again."
    case .invalidRequest:
      "The line is not a request; send one JSON-RPC 2.0 object with an id and a method."
    case .methodNotFound: "There is no such method; compare with the schema of this version."
    case .invalidParams: "A parameter is refused; correct it and send the call again."
    case .internalError: "The vault failed to answer; see its log."
    case .sealed: "The vault is sealed; an admin must unseal it first."
    case .forbidden: "This caller may not do that; ask an admin for the right or the socket."
    case .notFound: "There is nothing of that name; check the name."
    case .conflict: "The call contradicts what the vault holds; look at the present state first."
    case .revoked: "The namespace is revoked for good; use another name."
    case .expired: "The pass is past its end; store a newer pass."
    case .notYetValid: "The pass has not begun; wait for its start or store another pass."
    case .keyUnusable: "The key cannot be used for that; make a key of the right purpose."
    case .passMissing: "The namespace has no pass for this reader group; store one."
    case .readerUntrusted: "The reader is not certified for its group; do not present here."
    case .protocolError: "The step does not fit the session; open a new one."
    case .rateLimited: "Too many calls; wait and send it again."
    case .busy: "The vault is busy; wait and send it again."
    case .auditUnavailable: "The audit cannot be written; free its storage, then send it again."
    case .storageFull: "The storage is full; free some, then send it again."
    case .clockUncertain: "The clock is not trusted yet; set it or have an admin accept it."
    case .damaged: "Stored data does not agree with its seal; restore from a backup."
    case .tooLarge: "The line is too long; send less at once."
    case .unsupported: "This version does not do that; compare with the schema."
    case .wrongSecret: "No slot opens with that secret; check it and try again."
    }
  }
}
