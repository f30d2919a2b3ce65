import SecureMemory
import Synchronization
import VaultAPI
import VaultCore
import WireCoding

/// One request under way: whom to answer, and on whose behalf it runs.
final class Call: Sendable {
  /// What the answer carries.
  let id: RequestID
  /// The connection it came in by.
  let connection: UInt64
  /// Who asked.
  let subject: AuditEntry.Subject
  /// What was asked.
  let method: VaultMethod
  private let reply: Mutex<Reply?>
  private let meter: RequestMeter
  private let watch = Stopwatch()

  /// Starts a call that was just decoded.
  ///
  /// - Parameters:
  ///   - id: what the answer carries.
  ///   - method: its method.
  ///   - connection: the connection it came in by.
  ///   - subject: who asked.
  ///   - reply: to be answered once; the first answer counts.
  ///   - meter: where the answer is counted.
  init(
    id: RequestID, method: VaultMethod, connection: UInt64, subject: AuditEntry.Subject,
    reply: consuming Reply, meter: RequestMeter
  ) {
    self.id = id
    self.method = method
    self.connection = connection
    self.subject = subject
    self.reply = Mutex(reply)
    self.meter = meter
  }

  deinit {
    // The reply answers for itself; this only counts it.
    if reply.withLock({ $0 != nil }) { meter.note(method, .internalError, since: watch) }
  }

  /// Answers with a result.
  func succeed(_ result: some VaultResult) {
    send(ResponseLine.success(id: id, result), nil)
  }

  /// Answers with a result that holds secrets; `busy` when no locked memory is left for the answer.
  func succeed(secret result: some SecretResult) {
    let line: SecretLine
    do throws(WireCodingError) {
      line = try ResponseLine.success(id: id, secret: result)
    } catch {
      return failForMemory()
    }
    guard let reply = reply.withLock({ $0.take() }) else { return }
    reply.send(secret: line)
    meter.note(method, nil, since: watch)
  }

  /// Answers with an error.
  func fail(_ error: RPCError) {
    send(ResponseLine.failure(id: id, error), error.code)
  }

  private func send(_ line: [UInt8], _ code: RPCErrorCode?) {
    guard let reply = reply.withLock({ $0.take() }) else { return }
    reply.send(answer: line)
    meter.note(method, code, since: watch)
  }

  /// Makes the function that answers with what the vault gives.
  func answer<Value>(
    _ result: @escaping @Sendable (Value) -> some VaultResult
  ) -> @Sendable (Result<Value, VaultError>) -> Void {
    { [self] outcome in
      switch outcome {
      case .success(let value): succeed(result(value))
      case .failure(let error): fail(RPCError(error))
      }
    }
  }
}

extension Call {
  /// Makes the function that answers with what the vault gives, when secrets are among it.
  func answer<Value>(
    secret result: @escaping @Sendable (Value) throws(SecureMemoryError) -> some SecretResult
  ) -> @Sendable (Result<Value, VaultError>) -> Void {
    { [self] outcome in
      switch outcome {
      case .success(let value):
        do throws(SecureMemoryError) { succeed(secret: try result(value)) } catch {
          failForMemory()
        }
      case .failure(let error): fail(RPCError(error))
      }
    }
  }

  /// Answers that no locked memory is left for the answer.
  fileprivate func failForMemory() {
    guard method != .biqliComplete else {
      // What is settled has no second answer.
      return fail(
        RPCError(
          .busy,
          message:
            "The event is settled, but no locked memory is left for its receipt, which is lost.",
          retry: false))
    }
    fail(RPCError(.busy, message: "No locked memory is left for the answer; wait and call again."))
  }
}

extension Reply {
  /// Sends a line that ends in a line feed, which the server adds by itself.
  consuming func send(answer line: [UInt8]) {
    send(line.span.extracting(droppingLast: 1))
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
