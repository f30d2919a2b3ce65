public import WireCoding

/// How a flinkey user stands, as several methods tell it.
public struct FlinkeyUserStanding: Sendable {
  /// `valid`, `renewable` or `blocked`.
  public var state: String
  /// The Tapkey token, when it is valid and was asked for.
  public var token: SecretBox?
  /// The second from which on it must not be used.
  public var expires: Timestamp?
  /// The user that it is for, in Tapkey's words.
  public var tapkeyUser: String?
  /// The step that is due: `api_token`, `id_token` or `tapkey_token`.
  public var step: String?
  /// For how many milliseconds somebody has a step in hand.
  public var leasedFor: Int64?
  /// Why the user is blocked.
  public var reason: String?
  /// The box that the user opens, and its physical lock ID.
  public var box: (id: String, physicalLockID: String)?

  /// Makes a standing.
  ///
  /// - Parameters:
  ///   - state: `valid`, `renewable` or `blocked`.
  ///   - token: the Tapkey token.
  ///   - expires: the second from which on it must not be used.
  ///   - tapkeyUser: the user that it is for, in Tapkey's words.
  ///   - step: the step that is due.
  ///   - leasedFor: for how many milliseconds somebody has a step in hand.
  ///   - reason: why the user is blocked.
  ///   - box: the box that the user opens, and its physical lock ID.
  public init(
    state: String, token: SecretBox? = nil, expires: Timestamp? = nil, tapkeyUser: String? = nil,
    step: String? = nil, leasedFor: Int64? = nil, reason: String? = nil,
    box: (id: String, physicalLockID: String)? = nil
  ) {
    self.state = state
    self.token = token
    self.expires = expires
    self.tapkeyUser = tapkeyUser
    self.step = step
    self.leasedFor = leasedFor
    self.reason = reason
    self.box = box
  }

  /// Writes the members into an object that is open, the token not among them.
  func encodeMembers<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.name("state")
    writer.string(state)
    writer.optional("expires", expires?.description)
    writer.optional("tapkey_user", tapkeyUser)
    writer.optional("step", step)
    writer.optional("leased_for_ms", leasedFor)
    writer.optional("reason", reason)
    writer.optional("box_id", box?.id)
    writer.optional("physical_lock_id", box?.physicalLockID)
  }
}
