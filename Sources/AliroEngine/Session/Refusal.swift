/// Why a presentation does not lead to access, for the caller rather than for the reader: over the
/// air a reader learns a status word alone.
public struct Refusal: Error, Hashable, Sendable {
  /// The class of the reason; the raw values are those of the wire.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// What the reader or the gateway sent is not the protocol, or not at this point of it.
    case protocolError = "protocol_error"
    /// The reader's group, certificate or signature does not stand up.
    case readerUntrusted = "reader_untrusted"
    /// The pass is past its end.
    case expired
    /// The pass has not begun.
    case notYetValid = "not_yet_valid"
    /// The namespace has no pass.
    case passMissing = "pass_missing"
    /// The credential key cannot be used, or a computation with it failed.
    case keyUnusable = "key_unusable"
    /// The namespace was revoked.
    case revoked
    /// The vault does not know the time well enough to judge.
    case clockUncertain = "clock_uncertain"
    /// What the vault holds of the pass or the key is damaged.
    case damaged
    /// The reader demands what the vault's owner has not allowed.
    case forbidden
    /// The reader asks for something that this vault does not do.
    case unsupported
    /// Locked memory ran out; the whole presentation may be tried again.
    case busy
  }

  /// The class of the reason.
  public let code: Code
  /// The reason in plain words, with no key, identifier or caller's text in it.
  public let message: String

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: the class of the reason.
  ///   - message: the reason in plain words.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
