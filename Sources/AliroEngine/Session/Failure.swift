import SecureMemory
import VaultCrypto

/// Why a session ends.
///
/// Whoever catches one drops every key and answers the status word.
package struct Failure: Error {
  /// What the reader gets; `nil` when the message was not a command, and gets no answer.
  var statusWord: StatusWord?
  var refusal: Refusal
  /// What happened before the end, for the caller.
  var events: [PresentationEvent] = []

  /// A command that is not what section 2 describes.
  static func malformed(_ message: String) -> Failure {
    Failure(statusWord: .malformed, refusal: Refusal(.protocolError, message))
  }

  /// A command that may not come now.
  static func wrongState(_ message: String) -> Failure {
    Failure(statusWord: .wrongState, refusal: Refusal(.protocolError, message))
  }

  /// A reader that is not, or not known to be, what it must be.
  static func untrusted(_ refusal: Refusal) -> Failure {
    Failure(statusWord: .securityStatus, refusal: refusal)
  }

  /// A message that is not a command, and wrong.
  static func message(_ message: String) -> Failure {
    Failure(refusal: Refusal(.protocolError, message))
  }

  /// A computation that did not come about; nothing the reader sent caused it.
  init(computation error: any Error) {
    switch error {
    case let failure as Failure:
      self = failure
    case AliroError.refused(let refusal):
      self.init(statusWord: .executionError, refusal: refusal)
    case is SecureMemoryError, VaultCryptoError.memoryExhausted:
      self.init(
        statusWord: .executionError,
        refusal: Refusal(.busy, "The vault has no locked memory left for the session's keys."))
    default:
      self.init(
        statusWord: .executionError,
        refusal: Refusal(.keyUnusable, "A computation with the session's keys failed."))
    }
  }

  init(statusWord: StatusWord? = nil, refusal: Refusal, events: [PresentationEvent] = []) {
    self.statusWord = statusWord
    self.refusal = refusal
    self.events = events
  }
}

/// Runs a computation whose every error ends the session.
func computing<Result: ~Copyable>(_ body: () throws -> Result) throws(Failure) -> Result {
  do {
    return try body()
  } catch {
    throw Failure(computation: error)
  }
}
