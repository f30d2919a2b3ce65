package import BiqliEngine
import SecureMemory
package import WireCoding

/// The request that is to be sent.
package struct BiqliBegun: Sendable {
  /// Where it comes from.
  package let beginning: BiqliBeginning
  /// The request as it is stored.
  package let request: BiqliPendingRequest
  /// What the app shows to the service.
  package let publishableKey: BiqliPublishableKey?
}

/// What an answer of the service led to.
package struct BiqliCompletion: Sendable {
  /// What became of the event.
  package let report: BiqliCompletionReport
  /// The receipt of the answer, if it was to the pending event; it is nowhere else.
  package let receipt: BiqliReceipt?
}

/// A request that was handed out and not settled.
package struct BiqliWaiting: Sendable {
  /// The request.
  package let request: BiqliPendingRequest
  /// For how many seconds it has been pending.
  package let age: Int64
}

/// Every operation on the state of an installation is decided by the committer, on the state as its
/// transaction has it, and answered when that is durable: so no request is sent that is not stored,
/// all who ask meanwhile get the same event, and an event is settled once.
extension VaultWorker {
  /// Opens the state of an installation; another marker than the stored one deletes all that was kept.
  ///
  /// - Parameters:
  ///   - name: the namespace, which is there already.
  ///   - marker: the marker of the installation.
  ///   - appID: its app.
  ///   - publishableKey: its key; `nil` leaves the stored one.
  ///   - subject: who asks.
  ///   - reply: given how it came about, and the key that is stored.
  package func openBiqli(
    _ name: NamespaceName, marker: BiqliMarker, appID: BiqliAppID,
    publishableKey: BiqliPublishableKey?, by subject: AuditEntry.Subject,
    _ reply:
      @escaping Answer<
        (value: (opening: BiqliOpening, publishableKey: BiqliPublishableKey?), sequence: Int64)
      >
  ) {
    let entry = AuditEntry("biqli.open", by: subject, namespace: name)
    change(entry, reply) { context throws(VaultError) in
      let opened = try context.openBiqli(
        name, marker: marker, appID: appID, publishableKey: publishableKey)
      try context.keepBiqli(opened.state, after: opened.opening, in: name)
      return (opening: opened.opening, publishableKey: opened.state.publishableKey)
    }
  }

  /// Names the installation: once, and always alike.
  package func biqliInstance(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliInstanceID, sequence: Int64)>
  ) {
    operate("biqli.instance", name, by: subject, reply) { state, _, _ in
      state.instance(random: .random())
    }
  }

  /// Keeps a link for the next request; the last one wins.
  ///
  /// - Parameters:
  ///   - link: the link.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given whether another one had to give way.
  package func captureBiqli(
    _ link: BiqliDeepLink, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    operate("biqli.capture", name, by: subject, reply) { state, _, _ in
      defer { state.put(link) }
      return state.link.map { $0 != link } ?? false
    }
  }

  /// Keeps a token for the next request; the last one wins.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given whether another one had to give way.
  package func captureBiqli(
    _ token: BiqliHandoffToken, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    operate("biqli.capture", name, by: subject, reply) { state, _, _ in
      defer { state.put(token) }
      return state.token.map { $0 != token } ?? false
    }
  }

  /// Gives the request that is to be sent: the pending one as it is, or a new one.
  package func beginBiqli(
    _ fields: BiqliRequestFields, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliBegun, sequence: Int64)>
  ) {
    operate("biqli.begin", name, by: subject, reply) {
      state, now, context throws(BiqliError) in
      let begun = try state.begin(fields, at: now, random: .random())
      context.note(begun.request.eventID)
      return BiqliBegun(
        beginning: begun.beginning, request: begun.request, publishableKey: state.publishableKey)
    }
  }

  /// Settles the pending event with the service's answer.
  package func completeBiqli(
    _ eventID: BiqliEventID, with answer: BiqliAnswer, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliCompletion, sequence: Int64)>
  ) {
    operate("biqli.complete", name, by: subject, reply) { state, _, context in
      context.note(eventID)
      let report = state.complete(eventID, with: answer.result)
      return BiqliCompletion(
        report: report, receipt: report == .stale ? nil : answer.receipt)
    }
  }

  /// Notes that sending failed; a final refusal settles the event.
  package func failBiqli(
    _ eventID: BiqliEventID, _ failure: BiqliFailure, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliFailureReport, sequence: Int64)>
  ) {
    operate("biqli.fail", name, by: subject, reply) { state, _, context in
      context.note(eventID)
      return state.fail(eventID, failure)
    }
  }

  /// Gives the last match, where no request is due.
  package func cachedBiqli(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliResult?, sequence: Int64)>
  ) {
    operate("biqli.cached", name, by: subject, reply) { state, now, _ in state.cached(at: now) }
  }

  /// Tells whether opening the app now would be its first open; the first time it is asked the window
  /// begins.
  package func biqliWindow(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliWindow, sequence: Int64)>
  ) {
    operate("biqli.window", name, by: subject, reply) { state, now, _ in state.window(at: now) }
  }

  /// Deletes all that is kept of an installation, also while the namespace is suspended.
  ///
  /// - Parameters:
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given whether there was anything.
  package func resetBiqli(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    let entry = AuditEntry("biqli.reset", by: subject, namespace: name)
    change(entry, takesAway: true, reply) { context throws(VaultError) in
      try context.resetBiqli(name)
    }
  }

  /// Shows the pending request to an operator, also while the namespace is suspended.
  package func pendingBiqli(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: BiqliWaiting?, sequence: Int64)>
  ) {
    operate("biqli.pending", name, isForOperators: true, by: subject, reply) {
      state, now, context in
      guard let request = state.pending else { return nil }
      context.note(request.eventID)
      return BiqliWaiting(
        request: request, age: max(now.seconds - request.madeAt.seconds, 0))
    }
  }

  /// Gives up a pending request that is stuck, also while the namespace is suspended.
  ///
  /// - Parameters:
  ///   - eventID: the event it tells of.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given whether it was the pending one.
  package func dropBiqli(
    _ eventID: BiqliEventID, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    operate(
      "biqli.drop", name, isForOperators: true, takesAway: true, by: subject, reply
    ) { state, _, context in
      context.note(eventID)
      let wasPending = state.dropPending(eventID)
      if wasPending { context.markErasure() }
      return wasPending
    }
  }

  private func operate<Value: Sendable>(
    _ method: StaticString, _ name: NamespaceName, isForOperators: Bool = false,
    takesAway: Bool = false, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Value, sequence: Int64)>,
    _ operate:
      @escaping @Sendable (inout BiqliRecord, Timestamp, CommitContext) throws(BiqliError) ->
      Value
  ) {
    let entry = AuditEntry(method, by: subject, namespace: name)
    change(entry, takesAway: takesAway, reply) { context throws(VaultError) in
      try context.operateBiqli(name, isForOperators: isForOperators) {
        state, now throws(BiqliError) in
        try operate(&state, now, context)
      }
    }
  }
}

extension BiqliRandom {
  /// Octets for the names of a request.
  fileprivate static func random() -> BiqliRandom {
    BiqliRandom(instance: .random(), event: .random(), request: .random())
  }
}

extension InlineArray where Element == UInt8, count == 16 {
  /// Octets of the kernel's generator.
  fileprivate static func random() -> Self {
    let octets = SecureRandom.bytes(16)
    return Self { octets[$0] }
  }
}
