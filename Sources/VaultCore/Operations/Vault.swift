import AliroEngine
import Synchronization

/// An opened data directory: what all threads of the daemon share of the vault.
///
/// Each I/O thread has a ``VaultWorker``, which answers requests; changes and the release of
/// answers go through the one ``Committer``.
package final class Vault: Sendable {
  let clock: any VaultClock
  let ledger: Ledger
  /// The policy in force.
  package let authority: Authority
  /// The committer, for its time and status.
  package let committer: Committer
  let cache: NamespaceCache
  let presentations: PresentationTable
  let nokeRates = NokeRates()
  let settings: VaultSettings
  let unsealing = UnsealGate()
  let denials = DenialLog()
  let owed = OwedLines()
  /// Does what takes long and changes something, or opens the vault.
  let slowChanges: SlowWorker
  /// Does what takes long and only reads.
  let slowReads: SlowWorker
  let accounts: any AccountSource
  /// The segments of the audit log.
  let audit: any AuditSource
  /// When the daemon started, Unix seconds.
  package let started: Int64

  /// Opens a vault, sealed.
  ///
  /// - Parameters:
  ///   - directory: the data directory, locked by the caller for as long as the vault is used.
  ///   - settings: bounds and times.
  ///   - clock: the time.
  ///   - accounts: where the names of the policy are looked up.
  ///   - hooks: where tests hold the vault still.
  ///   - announce: told of each checkpoint of the audit log, on the committer's thread.
  /// - Throws: ``VaultError``.
  package init(
    _ directory: VaultLocation, settings: VaultSettings = VaultSettings(),
    clock: any VaultClock = SystemClock(), accounts: any AccountSource = SystemAccounts(),
    hooks: VaultHooks = VaultHooks(),
    announce: @escaping @Sendable (AuditCheckpoint) -> Void = { _ in }
  ) throws(VaultError) {
    self.clock = clock
    self.settings = settings
    self.accounts = accounts
    audit = directory.audit
    let cache = NamespaceCache(bound: settings.cachedNamespaces)
    let presentations = PresentationTable()
    let authority = Authority()
    self.authority = authority
    self.cache = cache
    self.presentations = presentations
    started = clock.wallSeconds()
    slowChanges = try SlowWorker(name: "slow changes")
    slowReads = try SlowWorker(name: "slow reads")
    do throws(LedgerError) {
      let (ledger, writer) = try Ledger.open(directory.database)
      self.ledger = ledger
      committer = try Committer(
        ledger: ledger, writer: writer,
        audit: AuditParts(
          source: directory.audit, segmentSize: settings.auditSegmentSize,
          backlog: settings.auditBacklog, anchor: directory.anchor),
        reserve: directory.reserve, clock: clock, authority: authority, accounts: accounts,
        hooks: hooks, announce: announce
      ) { change in
        if let state = change.policy { authority.install(state) }
        for name in change.names { cache.drop(name) }
        if change.dropsEverything { cache.dropAll() }
        presentations.removeAll {
          change.dropsEverything || change.ended.contains($0.fence.namespaceID)
        }
      }
    } catch {
      throw VaultError(error)
    }
    try committer.start()
  }

  /// Whether the keys are in memory.
  package var isUnsealed: Bool { ledger.unsealed != nil }

  /// The vault's identifier, 16 octets; not proven while sealed.
  package var vaultID: [UInt8] { ledger.vaultID }

  /// Finishes what is queued, seals, and ends the committer's thread.
  package func close() {
    recordAllLines()
    committer.stop()
  }

  /// Drops what was idle: to be called every few minutes.
  package func ageCache() {
    cache.age()
  }

  /// Ends the presentations of a connection that has closed.
  package func connectionClosed(_ connection: UInt64) {
    presentations.removeAll { $0.connection == connection }
  }

  /// Ends the presentations whose time is over.
  package func expirePresentations() {
    let now = clock.bootSeconds()
    presentations.removeAll { $0.deadline <= now }
  }
}

/// Bounds and times of a vault.
package struct VaultSettings: Sendable {
  /// The most namespaces held open.
  package var cachedNamespaces = 2048
  /// How many seconds a presentation may take.
  package var presentationSeconds: Int64 = 30
  /// After how many octets an audit segment is closed and another one begun.
  package var auditSegmentSize = standardSegmentSize
  /// The standard size of an audit segment, in octets.
  package static let standardSegmentSize: Int64 = 64 << 20
  /// How many audit lines may be in the database alone before calls are refused.
  package var auditBacklog = standardBacklog
  /// The standard for ``auditBacklog``, in lines.
  package static let standardBacklog: Int64 = 0
  /// How many milliseconds a reader on BLE has for its first command (section 12, timers).
  package var auth0Timeout = PresentationConfiguration.defaultAuth0Timeout

  /// The standard settings.
  package init() {}
}

/// Where tests hold the vault still; the daemon sets none.
package struct VaultHooks: Sendable {
  /// Called with the method's name on the thread that computed an answer, before the answer is
  /// queued for its number.
  package var computed: (@Sendable (StaticString) -> Void)?

  /// No hooks.
  package init() {}
}
