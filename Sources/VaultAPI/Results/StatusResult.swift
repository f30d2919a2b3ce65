public import WireCoding

/// The answer to `status`.
public struct StatusResult: VaultResult, Hashable {
  /// Whether the vault is sealed.
  public var state: SealState
  /// The sixteen octets that name the vault.
  public var vaultId: [UInt8]
  /// The version of the server.
  public var version: String
  /// When the process started.
  public var started: Timestamp
  /// The time the vault goes by.
  public var clock: Timestamp
  /// What the machine's clock shows.
  public var machineClock: Timestamp
  /// What the vault makes of it.
  public var clockState: ClockState
  /// The state of the audit.
  public var audit: AuditStatus
  /// How many revoked keys still await their erasure.
  public var erasurePending: Int64
  /// What was found damaged when the vault was unsealed, in words; everything else works.
  public var damage: [String]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - state: whether the vault is sealed.
  ///   - vaultId: the sixteen octets that name the vault.
  ///   - version: the version of the server.
  ///   - started: when the process started.
  ///   - clock: the time the vault goes by.
  ///   - machineClock: what the machine's clock shows.
  ///   - clockState: what the vault makes of it.
  ///   - audit: the state of the audit.
  ///   - erasurePending: how many revoked keys still await their erasure.
  ///   - damage: what was found damaged when the vault was unsealed, in words.
  public init(
    state: SealState, vaultId: [UInt8], version: String, started: Timestamp, clock: Timestamp,
    machineClock: Timestamp, clockState: ClockState, audit: AuditStatus, erasurePending: Int64,
    damage: [String] = []
  ) {
    self.state = state
    self.vaultId = vaultId
    self.version = version
    self.started = started
    self.clock = clock
    self.machineClock = machineClock
    self.clockState = clockState
    self.audit = audit
    self.erasurePending = erasurePending
    self.damage = damage
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("vault_id")
    writer.hex(vaultId.span)
    writer.name("version")
    writer.string(version)
    writer.name("started")
    writer.timestamp(started)
    writer.name("clock")
    writer.timestamp(clock)
    writer.name("machine_clock")
    writer.timestamp(machineClock)
    writer.name("clock_state")
    writer.string(clockState.rawValue)
    writer.name("audit")
    audit.encode(into: &writer)
    writer.name("erasure_pending")
    writer.integer(erasurePending)
    writer.name("damage")
    writer.strings(damage)
    writer.endObject()
  }
}
