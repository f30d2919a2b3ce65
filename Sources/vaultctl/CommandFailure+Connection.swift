import SecureMemory
import VaultClient

extension CommandFailure {
  /// A call that did not end with a result.
  ///
  /// - Parameters:
  ///   - error: what happened.
  ///   - socket: the path of the socket.
  init(_ error: VaultClientError, socket: String) {
    switch error {
    case .server(let failure):
      self.init(failure)
    case .notRunning:
      self.init(
        .unavailable, "no vault answers at \(socket)",
        hint: "start vaultd, or name its place with --runtime DIR or --socket PATH")
    case .refused:
      self.init(
        .forbidden, "this user cannot reach \(socket)",
        hint: "run vaultctl as a user whom the vault admits")
    case .invalidPath(let limit):
      self.init(.usage, "the path of a socket has 1 to \(limit) bytes")
    case .timedOut(let phase):
      self.init(phase)
    case .closed:
      self.init(
        .unavailable, "the vault closed the connection without an answer",
        hint: "whether the call took effect is not known; see `vaultctl status` and the log")
    case .answerTooLong, .malformedAnswer:
      self.init(
        .protocolMismatch, "\(socket) does not speak this protocol",
        hint: "check that it is the socket of a vaultd of this version")
    case .requestTooLong(let limit):
      self.init(.badData, "the request is longer than \(limit) bytes")
    case .secretMemory(let error):
      self.init(error)
    case .system(let call, let errno):
      self.init(.failure, "\(call.rawValue) failed for \(socket): \(systemMessage(errno))")
    }
    switch error {
    case .closed, .timedOut(.sending), .timedOut(.waiting), .answerTooLong, .malformedAnswer,
      .system(.poll, _), .system(.send, _), .system(.recv, _):
      isUncertain = true
    default: break
    }
  }

  private init(_ phase: CallPhase) {
    switch phase {
    case .connecting, .sending:
      self.init(.tryAgain, "the vault did not take the call in time", hint: "try again later")
    case .waiting:
      self.init(
        .tryAgain, "the vault did not answer in time",
        hint: "the call may still take effect; --timeout SECONDS waits longer")
    }
  }

  /// No place for a secret.
  init(_ error: SecureMemoryError) {
    switch error {
    case .lockedMemoryExhausted(let needed, let limit):
      let most = limit.map { ", and at most \($0) may be locked" } ?? ""
      self.init(
        .failure, "\(needed) more bytes of memory cannot be locked\(most)",
        hint: "raise the limit with `ulimit -l` or LimitMEMLOCK=")
    case .arenaFull, .unavailable, .invalidCount:
      self.init(.failure, "guarded memory for secrets is not available")
    }
  }
}
