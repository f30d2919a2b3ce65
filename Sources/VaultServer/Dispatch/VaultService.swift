package import AccessPolicy
import VaultAPI
package import VaultCore
import WireCoding

/// Answers the requests of all connections out of one vault.
package struct VaultService: LineService {
  private let vault: Vault
  private let admission: Admission
  private let version: String
  private let rates = RateTable()
  private let meters: ServerMeters

  /// Serves a vault.
  ///
  /// - Parameters:
  ///   - vault: the vault, opened.
  ///   - admission: what the configuration says of callers.
  ///   - version: the version that `hello` and `status` tell.
  ///   - meters: where it counts what it answers, and what `vault.metrics` reads.
  package init(
    _ vault: Vault, admission: Admission, version: String, meters: ServerMeters = ServerMeters()
  ) {
    self.vault = vault
    self.admission = admission
    self.version = version
    self.meters = meters
  }

  package func makeHandler(thread: Int) -> any LineHandler {
    VaultHandler(
      dispatcher: Dispatcher(
        vault: vault, worker: VaultWorker(vault), admission: admission, version: version,
        meters: meters),
      rates: rates, isFirst: thread == 0)
  }

  package func refused(_ caller: Caller?, by endpoint: Endpoint, _ refusal: FramingRefusal) {
    let subject = AuditEntry.Subject(caller ?? .unknown, by: endpoint)
    vault.recordDenial("connection.refused", refusal, by: subject)
  }
}

/// The service's part on one I/O thread.
private final class VaultHandler: LineHandler {
  /// After how many seconds what was not used since goes out of the cache.
  private static let cacheAge = 300

  private let dispatcher: Dispatcher
  private let rates: RateTable
  private let isFirst: Bool
  private var ticks = 0

  init(dispatcher: Dispatcher, rates: RateTable, isFirst: Bool) {
    self.dispatcher = dispatcher
    self.rates = rates
    self.isFirst = isFirst
  }

  func open(_ connection: ConnectionInfo) -> any LineSession {
    VaultSession(
      dispatcher: dispatcher, connection: connection,
      rights: CallRights(connection, dispatcher.vault.authority, rates))
  }

  func tick(_ now: Instant) {
    guard isFirst else { return }
    dispatcher.vault.recordOwedLines()
    dispatcher.vault.expirePresentations()
    ticks += 1
    if ticks % Self.cacheAge == 0 { dispatcher.vault.ageCache() }
  }

  func beginTurn() { dispatcher.worker.beginTurn() }

  func endTurn() { dispatcher.worker.endTurn() }
}

/// One connection: reads its lines as requests and has them carried out.
private final class VaultSession: LineSession {
  private let dispatcher: Dispatcher
  private let connection: ConnectionInfo
  private let subject: AuditEntry.Subject
  private var rights: CallRights

  init(dispatcher: Dispatcher, connection: ConnectionInfo, rights: CallRights) {
    self.dispatcher = dispatcher
    self.connection = connection
    subject = AuditEntry.Subject(connection.caller, by: connection.endpoint)
    self.rights = rights
  }

  func handle(_ line: Span<UInt8>, reply: consuming Reply) {
    let envelope: RequestEnvelope
    do {
      envelope = try RequestEnvelope.decode(line)
    } catch {
      dispatcher.vault.recordDenial(error.method, error.error, by: subject)
      reply.send(answer: ResponseLine.failure(id: error.id, error.error))
      dispatcher.meter.note(refused: error.method, error.error.code)
      return
    }
    switch rights.judge(envelope.request) {
    case .allowed(let policy):
      dispatcher.carryOut(
        envelope.request,
        Call(
          id: envelope.id, method: envelope.request.method, connection: connection.id.number,
          subject: judged(by: policy), reply: reply, meter: dispatcher.meter))
    case .denied(let denial):
      record(denial, of: envelope.request)
      reply.send(answer: ResponseLine.failure(id: envelope.id, RPCError(denial.error)))
      dispatcher.meter.note(
        refused: envelope.request.method, RPCErrorCode(denial.error.code))
    }
  }

  /// The caller of a call that a policy has allowed or denied.
  private func judged(by policy: Int64?) -> AuditEntry.Subject {
    AuditEntry.Subject(connection.caller, by: connection.endpoint, policy: policy)
  }

  private func record(_ denial: CallRights.Denial, of request: VaultRequest) {
    var entry = AuditEntry(
      request.method.word, by: judged(by: denial.policy), namespace: request.namespace)
    entry.code = denial.error.code
    entry.reason = denial.reason
    dispatcher.vault.recordDenial(entry, denial.kind)
  }

  func refuse(
    _ line: Span<UInt8>, _ refusal: FramingRefusal, retryAfter: Int64?, reply: consuming Reply
  ) {
    let id: RequestID?
    let method: VaultMethod?
    do {
      let envelope = try RequestEnvelope.decode(line)
      (id, method) = (envelope.id, envelope.request.method)
    } catch {
      (id, method) = (error.id, error.method)
    }
    dispatcher.vault.recordDenial(method?.word, refusal, by: subject)
    let code = RPCErrorCode(rawValue: Int64(refusal.rawValue)) ?? .internalError
    reply.send(
      answer: ResponseLine.failure(
        id: id, RPCError(code, message: refusal.message, retryAfter: retryAfter)))
    dispatcher.meter.note(refused: method, code)
  }

  func cutOff(_ refusal: FramingRefusal) {
    dispatcher.vault.recordDenial("connection.cut", refusal, by: subject)
  }

  func close() {
    dispatcher.vault.connectionClosed(connection.id.number)
  }
}
