import VaultAPI

/// How a call ended, as the metrics tell it.
enum RequestOutcome: String, CaseIterable {
  /// It was carried out.
  case ok
  /// The caller may do such things, but not this one: the name is unknown, the pass is past its end.
  case refused
  /// The caller may not do it, or not so often.
  case denied
  /// It is no call of the protocol.
  case malformed
  /// The vault could not do it, through no fault of the call.
  case failed

  /// The outcome of a call that was answered with an error.
  init(_ code: RPCErrorCode) {
    switch code {
    case .forbidden, .rateLimited: self = .denied
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams: self = .malformed
    case .internalError, .busy, .auditUnavailable, .storageFull, .clockUncertain, .damaged:
      self = .failed
    case .sealed, .notFound, .conflict, .revoked, .expired, .notYetValid, .keyUnusable,
      .passMissing, .readerUntrusted, .protocolError, .tooLarge, .unsupported, .wrongSecret:
      self = .refused
    }
  }
}

/// What the answer to a call waits for.
enum RequestKind: String, CaseIterable {
  /// Nothing: it is made where the request is read.
  case inline
  /// The commit that gives it its audit number.
  case committed
  /// A thread for slow work besides, such as the derivation of a key from a passphrase.
  ///
  /// Methods of which only some calls need one are not among these.
  case slow

  /// What the calls of a method wait for.
  init(_ method: VaultMethod) {
    switch method {
    case .unseal, .slotAdd, .policySet, .policyExplain, .auditTail, .auditExport, .vaultMetrics:
      self = .slow
    default: self = method.hasEffects || method.hasKeyOutput ? .committed : .inline
    }
  }
}
