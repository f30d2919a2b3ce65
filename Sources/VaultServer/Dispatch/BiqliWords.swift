import BiqliEngine
import SecureMemory
import VaultAPI
import VaultCore
import WireCoding

extension BiqliBeginResult {
  init(_ begun: (value: BiqliBegun, sequence: Int64)) throws(SecureMemoryError) {
    let request = begun.value.request
    self.init(
      beginning: VaultAPI.BiqliBeginning(begun.value.beginning),
      eventID: request.eventID.description, requestID: request.requestID.description,
      body: SecretBox(try request.body.bytes.duplicate()),
      publishableKey: begun.value.publishableKey?.description,
      attempts: Int64(request.attempts), made: request.madeAt, seq: begun.sequence)
  }
}

extension BiqliWindowResult {
  init(_ found: (value: BiqliWindow, sequence: Int64)) {
    switch found.value {
    case .open(let end): self.init(isOpen: true, until: end, seq: found.sequence)
    case .closed: self.init(isOpen: false, seq: found.sequence)
    }
  }
}

extension BiqliPendingResult {
  init(_ found: (value: BiqliWaiting?, sequence: Int64)) {
    guard let waiting = found.value else {
      self.init(isPending: false, seq: found.sequence)
      return
    }
    self.init(
      isPending: true, eventID: waiting.request.eventID.description,
      requestID: waiting.request.requestID.description, made: waiting.request.madeAt,
      age: waiting.age, attempts: Int64(waiting.request.attempts), seq: found.sequence)
  }
}

extension BiqliEngine.BiqliPlatform {
  /// The engine's word for the wire's.
  init(_ platform: VaultAPI.BiqliPlatform) {
    self = platform == .ios ? .ios : .android
  }
}

extension VaultAPI.BiqliOpening {
  /// The wire's word for the engine's.
  init(_ opening: BiqliEngine.BiqliOpening) {
    self =
      switch opening {
      case .created: .created
      case .reset: .reset
      case .unchanged: .unchanged
      case .keyReplaced: .keyReplaced
      }
  }
}

extension VaultAPI.BiqliBeginning {
  /// The wire's word for the engine's.
  init(_ beginning: BiqliEngine.BiqliBeginning) {
    self =
      switch beginning {
      case .new: .new
      case .resumed: .resumed
      case .replaced: .replaced
      case .consentWithdrawn: .consentWithdrawn
      case .expired: .expired
      }
  }
}

extension BiqliCompletionOutcome {
  /// The wire's word for the engine's.
  init(_ report: BiqliCompletionReport) {
    self =
      switch report {
      case .stale: .stale
      case .matched: .matched
      case .unmatched: .unmatched
      }
  }
}

extension BiqliFailureOutcome {
  /// The wire's word for the engine's.
  init(_ report: BiqliFailureReport) {
    self =
      switch report {
      case .stale: .stale
      case .dropped: .dropped
      case .kept: .kept
      }
  }
}

extension SecretBox {
  /// A copy of a secret, to be sent.
  convenience init(copying secret: borrowing SecretBytes) throws(VaultError) {
    do { self.init(try secret.duplicate()) } catch {
      throw VaultError(.busy, "no locked memory is left: try again", retry: true)
    }
  }
}
