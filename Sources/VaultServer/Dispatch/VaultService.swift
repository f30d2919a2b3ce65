import AccessPolicy
import VaultAPI
package import VaultCore
import WireCoding

/// Answers the requests of all connections out of one vault.
package struct VaultService: LineService {
  private let vault: Vault
  private let version: String

  /// Serves a vault.
  ///
  /// - Parameters:
  ///   - vault: the vault, opened.
  ///   - version: the version that `hello` and `status` tell.
  package init(_ vault: Vault, version: String) {
    self.vault = vault
    self.version = version
  }

  package func makeHandler(thread: Int) -> any LineHandler {
    VaultHandler(
      dispatcher: Dispatcher(vault: vault, worker: VaultWorker(vault), version: version),
      isFirst: thread == 0)
  }
}

/// The service's part on one I/O thread.
private final class VaultHandler: LineHandler {
  /// After how many seconds what was not used since goes out of the cache.
  private static let cacheAge = 300

  private let dispatcher: Dispatcher
  private let isFirst: Bool
  private var ticks = 0

  init(dispatcher: Dispatcher, isFirst: Bool) {
    self.dispatcher = dispatcher
    self.isFirst = isFirst
  }

  func open(_ connection: ConnectionInfo) -> any LineSession {
    VaultSession(dispatcher: dispatcher, connection: connection)
  }

  func tick(_ now: Instant) {
    guard isFirst else { return }
    dispatcher.vault.expirePresentations()
    ticks += 1
    if ticks % Self.cacheAge == 0 { dispatcher.vault.ageCache() }
  }
}

/// One connection: reads its lines as requests and has them carried out.
private final class VaultSession: LineSession {
  private let dispatcher: Dispatcher
  private let connection: ConnectionInfo

  init(dispatcher: Dispatcher, connection: ConnectionInfo) {
    self.dispatcher = dispatcher
    self.connection = connection
  }

  func handle(_ line: Span<UInt8>, reply: consuming Reply) {
    let pending = PendingReply(reply)
    let envelope: RequestEnvelope
    do {
      envelope = try RequestEnvelope.decode(line)
    } catch {
      pending.send(line: ResponseLine.failure(id: error.id, error.error))
      return
    }
    let call = Call(
      id: envelope.id, connection: connection.id.number,
      subject: AuditEntry.Subject(connection.caller, by: connection.endpoint),
      reply: pending)
    guard connection.endpoint == .admin || !envelope.request.method.isAdminOnly else {
      call.fail(
        RPCError(.forbidden, message: "This method is served on the admin socket only."))
      return
    }
    dispatcher.carryOut(envelope.request, call)
  }

  func refuse(_ line: Span<UInt8>, _ refusal: FramingRefusal, reply: consuming Reply) {
    let pending = PendingReply(reply)
    let id: RequestID?
    do { id = try RequestEnvelope.decode(line).id } catch { id = error.id }
    let code = RPCErrorCode(rawValue: Int64(refusal.rawValue)) ?? .internalError
    pending.send(line: ResponseLine.failure(id: id, RPCError(code, message: refusal.message)))
  }

  func close() {
    dispatcher.vault.connectionClosed(connection.id.number)
  }
}

extension PendingReply {
  /// Sends a line that ends in a line feed, which the server adds by itself.
  func send(line: [UInt8]) {
    send(line.span.extracting(droppingLast: 1))
  }
}
