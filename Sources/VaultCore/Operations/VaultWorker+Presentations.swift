package import AliroEngine
import SecureMemory
import Synchronization
import VaultCrypto
package import WireCoding

/// What a caller asks for when it opens a presentation.
package struct PresentationRequest: Sendable {
  /// What the lock shall do.
  package var intent: PresentationIntent
  /// The reader's list of BLE versions, octet for octet.
  package var readerVersions: [UInt8]
  /// The version selected from it, two octets.
  package var version: [UInt8]

  /// Makes a request.
  package init(intent: PresentationIntent, readerVersions: [UInt8], version: [UInt8]) {
    self.intent = intent
    self.readerVersions = readerVersions
    self.version = version
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
    let entry = AuditEntry("presentation.open", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      let key = try? namespace.key(.presentation)
      let credential = credential(of: namespace)
      let configuration: PresentationConfiguration
      do {
        configuration = try PresentationConfiguration(
          transport: .ble(
            readerVersions: request.readerVersions, version: request.version,
            intent: request.intent),
          credential: credential, keys: SystemKeys(), userAuthentication: .refused)
      } catch {
        guard case .parameter(let field) = error else {
          throw VaultError(.internal, "the presentation cannot be made")
        }
        let words =
          field == "version"
          ? "the version is not in the reader's list, or not one the vault speaks: only 01 00 is"
          : "\(field) is not a BLE version list"
        throw VaultError(.invalidParameters, words, field: field)
      }
      var engine = AliroPresentation(configuration: configuration)
      let step = engine.start(
        at: Moment(time: Timestamp(clamping: now), uptime: vault.clock.bootSeconds() * 1000))
      let session = PresentationSession(
        id: SecureRandom.bytes(16), connection: connection, namespace: name,
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

  /// Gives a presentation one message of its reader.
  package func exchange(
    _ id: [UInt8], _ message: [UInt8], connection: UInt64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PresentationStep, sequence: Int64)>
  ) {
    var entry = AuditEntry("presentation.exchange", by: subject)
    do throws(VaultError) {
      let session = try session(id, connection: connection)
      entry.namespace = session.namespace
      entry.namespaceID = session.fence.namespaceID
      let moment = Moment(
        time: Timestamp(clamping: now), uptime: vault.clock.bootSeconds() * 1000)
      guard let step = session.receive(message, at: moment) else {
        throw VaultError(
          .protocolError, "the presentation is over: open a new one", field: "presentation")
      }
      if let refusal = step.refusal {
        entry.code = VaultError.Code(rawValue: refusal.code.rawValue)
      }
      release(step, of: session, entry, reply)
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
      let session = try session(id, connection: connection)
      entry.namespace = session.namespace
      entry.namespaceID = session.fence.namespaceID
      vault.presentations.remove(session)
      vault.committer.submit(.note(entry) { reply($0) })
    } catch {
      refuse(entry, error, reply)
    }
  }

  private static let noSession = VaultError(
    .notFound, "this connection has no such presentation: it may have ended; open a new one",
    field: "presentation")

  private func session(
    _ id: [UInt8], connection: UInt64
  ) throws(VaultError) -> PresentationSession {
    guard vault.ledger.unsealed != nil else { throw .sealed }
    guard let session = vault.presentations.find(id, connection: connection) else {
      throw Self.noSession
    }
    guard vault.clock.bootSeconds() < session.deadline else {
      vault.presentations.remove(session)
      throw Self.noSession
    }
    return session
  }

  /// Hands over a step of a session; one that is withheld ends the session.
  private func release<Value: Sendable>(
    _ value: Value, of session: PresentationSession, _ entry: AuditEntry,
    _ reply: @escaping Answer<(value: Value, sequence: Int64)>
  ) {
    let table = vault.presentations
    release(value, entry, resting: session.fence) { result in
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

  /// What the namespace has to show now.
  private func credential(of namespace: OpenNamespace) -> PresentedCredential {
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

/// A credential key for the engine: it signs device transcripts and nothing else.
private struct CredentialKey: CredentialSigner {
  private let key: P256PrivateKey

  init(_ key: P256PrivateKey) { self.key = key }

  var publicKey: P256PublicKey { key.publicKey }

  func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
    do { return try key.signature(message: transcript.bytes.span) } catch {
      throw .refused(Refusal(.busy, "The signature could not be made; try again."))
    }
  }
}

/// Keys from the kernel's generator: the only source the daemon has.
private struct SystemKeys: SessionKeySource {
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey {
    do { return try P256PrivateKey.generate() } catch {
      throw .refused(Refusal(.busy, "No locked memory is left for a key; try again."))
    }
  }

  func makeDecoyKey() throws(AliroError) -> SecretBytes {
    do { return try SecretBytes(random: 32) } catch {
      throw .refused(Refusal(.busy, "No locked memory is left for a key; try again."))
    }
  }
}
