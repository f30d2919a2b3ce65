package import NokeEngine
import VaultCrypto

/// What a caller asks a packet for.
package struct NokeUnlockRequest: Sendable {
  /// What the lock has just shown.
  package var session: NokeSession
  /// Whether the time goes into the packet.
  package var embedsTime: Bool
  /// Which pair is to make it; `nil` leaves that to the vault.
  package var role: NokeRole?
  /// What the caller calls this request, to be given the same packet for it once more.
  package var identifier: String?

  /// Makes a request.
  package init(
    session: NokeSession, embedsTime: Bool = false, role: NokeRole? = nil,
    identifier: String? = nil
  ) {
    self.session = session
    self.embedsTime = embedsTime
    self.role = role
    self.identifier = identifier
  }

  /// The digest of the request's identifier together with the user who asks.
  ///
  /// - Parameter uid: the user; another user's requests are others.
  /// - Returns: 32 octets; `nil` without an identifier.
  func identity(of uid: UInt32) -> [UInt8]? {
    guard let identifier else { return nil }
    var message = CanonicalEncoder("latchkey noke request")
    message.integer(Int64(uid))
    message.text(identifier)
    return BLAKE2b.hash(message.bytes.span)
  }
}

/// A packet that was made: what it takes to make it again, and what came of it.
///
/// The packet itself is not kept. It is made anew of the same pair, session and time.
struct NokeUse: Hashable, Sendable {
  /// Who has asked for it.
  let user: UInt32
  /// The session's octets.
  let session: [UInt8]
  /// The pair that made it.
  let generation: Int64
  /// The time that was used, Unix seconds.
  let time: Int64
  /// Whether the time is in the packet.
  let isEmbedded: Bool
  /// Which pair was asked for.
  let role: NokeRole?
  /// ``NokeUnlockRequest/identity(of:)``.
  let request: [UInt8]?
  /// Whether the lock was reported to have answered success.
  var hasSucceeded = false
}
