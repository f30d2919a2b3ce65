import AccessPolicy
import Synchronization

/// One request as the committer sees it: what to record, what to do or check, and whom to tell.
///
/// `finish` is called exactly once, on the committer's thread, after the batch is durable (with the
/// number of the item's audit line) or after it became clear that it will not be.
package final class WorkItem: Sendable {
  /// What the committer does for the item inside its transaction.
  enum Work: Sendable {
    /// Only a line.
    case note
    /// A computation is finished; its answer may go out if what it rests on still holds.
    case release(Fence)
    /// A read-check-write function, run inside a savepoint of its own.
    case mutate(@Sendable (CommitContext) throws(VaultError) -> Void)
    /// The vault was opened by a master key; its line is the first of the unsealed time. A
    /// checkpoint that was kept by hand must be one of its log.
    case unseal(KeyPassage, AuditCheckpoint?)
    /// The last line before the keys go.
    case seal
    /// A checkpoint of the log is made right behind the line.
    case checkpoint(Report<AuditCheckpoint>)
    /// The beginning of the log is taken away; how many segments that were.
    case archive(ArchiveRequest, Report<Int>)
  }

  /// Carries what the committer has found or made to the answer.
  final class Report<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    init() {}
    func put(_ value: Value) { self.value.withLock { $0 = value } }

    /// The value with the number of the line.
    func numbered(
      _ outcome: Result<Int64, VaultError>
    ) -> Result<(value: Value, sequence: Int64), VaultError> {
      outcome.flatMap { sequence in
        guard let value = value.withLock({ $0.take() }) else {
          return .failure(VaultError(.internal, "a change ended without a result"))
        }
        return .success((value, sequence))
      }
    }
  }

  /// Carries a master key to the committer's thread and leaves nothing behind, so that the keys are
  /// gone when the vault is sealed, whoever still holds the item.
  final class KeyPassage: Sendable {
    private let key: Mutex<MasterKeyBox?>
    init(_ key: MasterKeyBox) { self.key = Mutex(key) }
    func take() -> MasterKeyBox? { key.withLock { $0.take() } }
  }

  let entry: AuditEntry
  let work: Work
  /// What the call is about, for judging it once more.
  let target: PolicyTarget
  /// Whether it only takes away (a revocation, a deletion, the seal), and so may use the reserve of
  /// a full disk.
  let takesAway: Bool
  let finish: @Sendable (Result<Int64, VaultError>) -> Void

  private init(
    _ entry: AuditEntry, _ work: Work, takesAway: Bool = false, target: PolicyTarget? = nil,
    finish: @escaping @Sendable (Result<Int64, VaultError>) -> Void
  ) {
    self.entry = entry
    self.work = work
    self.target = target ?? entry.namespace.map { .namespace($0) } ?? .vault
    self.takesAway = takesAway
    self.finish = finish
  }

  /// A line for a call without effect or key-derived output; nobody waits for it.
  static func note(_ entry: AuditEntry) -> WorkItem {
    WorkItem(entry, .note) { _ in }
  }

  /// A line that the caller waits for.
  static func note(
    _ entry: AuditEntry, takesAway: Bool = false,
    finish: @escaping @Sendable (Result<Int64, VaultError>) -> Void
  ) -> WorkItem {
    WorkItem(entry, .note, takesAway: takesAway, finish: finish)
  }

  /// A finished computation; `finish` holds its result and sends it only on success.
  static func release(
    _ entry: AuditEntry, fence: Fence,
    finish: @escaping @Sendable (Result<Int64, VaultError>) -> Void
  ) -> WorkItem {
    WorkItem(entry, .release(fence), finish: finish)
  }

  /// A change; what `body` returns is given to `finish` with the line's number.
  ///
  /// - Parameters:
  ///   - entry: its line.
  ///   - takesAway: whether it only takes away.
  ///   - target: what the call is about, when that is neither its namespace nor, without one, the
  ///     vault.
  ///   - body: the change.
  ///   - finish: told of the end.
  /// - Returns: the item.
  static func mutation<Value: Sendable>(
    _ entry: AuditEntry, takesAway: Bool = false, target: PolicyTarget? = nil,
    _ body: @escaping @Sendable (CommitContext) throws(VaultError) -> Value,
    finish: @escaping @Sendable (Result<(value: Value, sequence: Int64), VaultError>) -> Void
  ) -> WorkItem {
    let report = Report<Value>()
    return WorkItem(
      entry,
      .mutate { context throws(VaultError) in report.put(try body(context)) },
      takesAway: takesAway, target: target,
      finish: { finish(report.numbered($0)) })
  }

  /// The opening of the vault.
  static func unseal(
    _ entry: AuditEntry, _ key: MasterKeyBox, checkpoint: AuditCheckpoint? = nil,
    finish: @escaping @Sendable (Result<Int64, VaultError>) -> Void
  ) -> WorkItem {
    WorkItem(entry, .unseal(KeyPassage(key), checkpoint), finish: finish)
  }

  /// The closing of the vault.
  static func seal(
    _ entry: AuditEntry, finish: @escaping @Sendable (Result<Int64, VaultError>) -> Void
  ) -> WorkItem {
    WorkItem(entry, .seal, takesAway: true, finish: finish)
  }

  /// A checkpoint of the log that covers the item's own line.
  static func checkpoint(
    _ entry: AuditEntry,
    finish:
      @escaping @Sendable (
        Result<(value: AuditCheckpoint, sequence: Int64), VaultError>
      ) -> Void
  ) -> WorkItem {
    let report = Report<AuditCheckpoint>()
    return WorkItem(entry, .checkpoint(report)) { finish(report.numbered($0)) }
  }

  /// The removal of the beginning of the log, which makes room.
  static func archive(
    _ entry: AuditEntry, _ request: ArchiveRequest,
    finish: @escaping @Sendable (Result<(value: Int, sequence: Int64), VaultError>) -> Void
  ) -> WorkItem {
    let report = Report<Int>()
    return WorkItem(entry, .archive(request, report), takesAway: true) {
      finish(report.numbered($0))
    }
  }

  /// Whether it closes the vault.
  var isSeal: Bool { if case .seal = work { true } else { false } }

  /// Whether it opens the vault.
  var isUnseal: Bool { if case .unseal = work { true } else { false } }

  /// Whether something is left to do when its line is durable, before the next item's turn.
  var endsBatch: Bool {
    switch work {
    case .seal, .checkpoint, .archive: true
    case .note, .release, .mutate, .unseal: false
    }
  }
}
