import AccessPolicy
package import AliroEngine
import SecureMemory
package import WireCoding

/// What a caller asks for when it opens a presentation.
package struct PresentationRequest: Sendable {
  /// How the messages travel.
  package var transport: PresentationTransport
  /// Whether the caller asserts that its user has confirmed.
  package var isUserConfirmed: Bool

  /// Makes a request.
  package init(_ transport: PresentationTransport, isUserConfirmed: Bool = false) {
    self.transport = transport
    self.isUserConfirmed = isUserConfirmed
  }
}

/// A presentation that was opened.
package struct OpenedPresentation: Sendable {
  /// Its identifier, 16 octets.
  package let id: [UInt8]
  /// The first messages and where it stands.
  package let step: PresentationStep
  /// Why it cannot lead to access, when that is known already.
  package let refusal: Refusal?
  /// When it ends by itself, Unix seconds.
  package let expires: Int64
}

extension VaultWorker {
  /// Opens a presentation for a connection.
  ///
  /// Without a usable pass it is opened all the same and behaves as for an unknown reader group, so
  /// that the air tells nothing; the answer says why.
  package func openPresentation(
    _ name: NamespaceName, _ request: PresentationRequest, connection: UInt64,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: OpenedPresentation, sequence: Int64)>
  ) {
    var entry = AuditEntry("presentation.open", by: subject, namespace: name)
    entry.isUserConfirmed = request.isUserConfirmed
    do throws(VaultError) {
      let namespace = try open(name)
      try namespace.checkUsable()
      let key = try? namespace.key(.presentation)
      let credential = credential(of: namespace)
      var engine = AliroPresentation(
        configuration: try configuration(request, credential, of: namespace))
      let step = engine.start(at: moment)
      let session = PresentationSession(
        id: SecureRandom.bytes(16), connection: connection, user: subject.caller.uid,
        fence: namespace.fence(key),
        deadline: vault.clock.bootSeconds() + vault.settings.presentationSeconds, engine: engine)
      try vault.presentations.add(session, now: vault.clock.bootSeconds())
      var refusal: Refusal?
      if case .refused(let reason) = credential { refusal = reason }
      let opened = OpenedPresentation(
        id: session.id, step: step, refusal: refusal,
        expires: now + vault.settings.presentationSeconds)
      release(opened, of: session, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  private func configuration(
    _ request: PresentationRequest, _ credential: PresentedCredential, of namespace: OpenNamespace
  ) throws(VaultError) -> PresentationConfiguration {
    // Settings that do not open allow nothing.
    let isAllowed = (try? namespace.settings.get())?.allowsUserConfirmation ?? false
    do {
      return try PresentationConfiguration(
        transport: request.transport, credential: credential, keys: SystemKeys(),
        userAuthentication: request.isUserConfirmed && isAllowed ? .confirmed : .refused,
        auth0Timeout: vault.settings.auth0Timeout)
    } catch {
      throw VaultError(error) { field in
        field == "version"
          ? "the version is not in the reader's list, or not one the vault speaks: only 01 00 is"
          : "\(field) is not a BLE version list"
      }
    }
  }

  /// Gives a presentation one message of its reader.
  package func exchange(
    _ id: [UInt8], _ message: [UInt8], connection: UInt64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PresentationStep, sequence: Int64)>
  ) {
    let moment = moment
    advance(
      id, connection: connection, AuditEntry("presentation.exchange", by: subject),
      { engine, memory in engine.receive(message.span, at: moment, memory: memory) }, reply)
  }

  /// Asks something of the reader that a presentation has been accepted by.
  package func request(
    _ id: [UInt8], _ request: ReaderRequest, connection: UInt64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PresentationStep, sequence: Int64)>
  ) {
    let moment = moment
    advance(
      id, connection: connection, AuditEntry("presentation.request", by: subject),
      { engine, _ in engine.request(request, at: moment) }, reply)
  }

  /// Lets a presentation take a step, and answers with it once it may count.
  private func advance(
    _ id: [UInt8], connection: UInt64, _ entry: AuditEntry,
    _ body: (inout AliroPresentation, NamespaceMemory) -> PresentationStep,
    _ reply: @escaping Answer<(value: PresentationStep, sequence: Int64)>
  ) {
    var entry = entry
    do throws(VaultError) {
      let session = try session(id, connection: connection, &entry)
      let memory = NamespaceMemory(worker: self, fence: session.fence)
      let step = try session.advance { body(&$0, memory) }
      if let refusal = step.refusal {
        entry.code = VaultError.Code(rawValue: refusal.code.rawValue)
      }
      if step.changes.isEmpty {
        release(step, of: session, entry, reply)
      } else {
        keep(step, of: session, entry, reply)
      }
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Closes a presentation; its keys are wiped.
  package func closePresentation(
    _ id: [UInt8], connection: UInt64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<Int64>
  ) {
    var entry = AuditEntry("presentation.close", by: subject)
    do throws(VaultError) {
      let session = try session(id, connection: connection, &entry)
      vault.presentations.remove(session)
      vault.committer.submit(.note(entry) { reply($0) })
    } catch {
      refuse(entry, error, reply)
    }
  }

  private static let noSession = VaultError(
    .notFound, "this connection has no such presentation: it may have ended; open a new one",
    field: "presentation")

  /// The session of a call, whose line gets the session's namespace.
  ///
  /// - Throws: `sealed`; `not_found` when the caller has no such session; `forbidden` when it may not do
  ///   that in the session's namespace, or not any more, which ends the session.
  private func session(
    _ id: [UInt8], connection: UInt64, _ entry: inout AuditEntry
  ) throws(VaultError) -> PresentationSession {
    guard vault.ledger.unsealed != nil else { throw .sealed }
    let user = entry.subject.caller.uid
    guard let session = vault.presentations.find(id, connection: connection, user: user) else {
      throw Self.noSession
    }
    guard vault.clock.bootSeconds() < session.deadline else {
      vault.presentations.remove(session)
      throw Self.noSession
    }
    entry.namespace = session.fence.name
    entry.namespaceID = session.fence.namespaceID
    if let reason = vault.authority.denial(
      of: entry.method, .namespace(session.fence.name), by: entry.subject)
    {
      vault.presentations.remove(session)
      entry.reason = reason
      entry.subject.policy = vault.authority.revision
      throw .forbidden(reason)
    }
    return session
  }

  /// Hands over a step of a session; one that is withheld ends the session.
  private func release<Value: Sendable>(
    _ value: Value, of session: PresentationSession, _ entry: AuditEntry,
    _ reply: @escaping Answer<(value: Value, sequence: Int64)>
  ) {
    let reply = ending(session, reply)
    release(value, entry, resting: session.fence, reply)
  }

  /// Makes what a step changes durable, then hands the step over; one that is withheld ends the
  /// session, and has changed nothing.
  private func keep(
    _ step: PresentationStep, of session: PresentationSession, _ entry: AuditEntry,
    _ reply: @escaping Answer<(value: PresentationStep, sequence: Int64)>
  ) {
    let reply = ending(session, reply)
    vault.committer.hooks.computed?(entry.method)
    vault.committer.submit(
      .mutation(entry) { context throws(VaultError) in
        try context.keep(step.changes, resting: session.fence)
        return step
      } finish: { result in
        session.settle()
        reply(result)
      })
  }

  /// The answer to a call of a session, which a refusal ends.
  private func ending<Value: Sendable>(
    _ session: PresentationSession, _ reply: @escaping Answer<Value>
  ) -> Answer<Value> {
    let table = vault.presentations
    return { result in
      if case .failure = result { table.remove(session) }
      reply(
        result.mapError { error in
          guard error.code == .conflict else { return error }
          return VaultError(
            .conflict, "the namespace's pass or key changed meanwhile: open a new presentation",
            field: "presentation")
        })
    }
  }

  /// Now, by both clocks.
  private var moment: Moment {
    Moment(time: Timestamp(clamping: now), uptime: vault.clock.bootMilliseconds())
  }

  /// What the namespace has to show now.
  func credential(of namespace: OpenNamespace) -> PresentedCredential {
    do throws(VaultError) {
      let key = try namespace.key(.presentation)
      guard let pass = try namespace.pass?.get() else {
        return .refused(Refusal(.passMissing, "The namespace has no pass; store one."))
      }
      if let refusal = pass.refusal(at: now) { return .refused(refusal) }
      let usable = try? UsableCredential(pass: pass.validated, signer: CredentialKey(key.key))
      guard let usable else {
        return .refused(Refusal(.damaged, "The stored pass is for another key."))
      }
      return .usable(usable)
    } catch {
      let code = Refusal.Code(rawValue: error.code.rawValue) ?? .keyUnusable
      return .refused(Refusal(code, "The namespace has no presentation key that can be used."))
    }
  }
}
