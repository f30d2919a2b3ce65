import WireCoding

/// The part of the vault that belongs to one I/O thread: it answers requests with a database
/// connection of its own.
///
/// An answer that rests on a namespace's keys or records is handed to the committer together with
/// what it rests on, and reaches `reply` only if that still holds when it gets its number; a
/// refusal is answered at once, and its line rides in the next batch.
package final class VaultWorker {
  /// What a call leads to.
  package typealias Answer<Value> = @Sendable (Result<Value, VaultError>) -> Void

  let vault: Vault
  private var reader: LedgerReader?
  private var reaches = CallerReach()

  /// Makes the worker of a thread.
  package init(_ vault: Vault) {
    self.vault = vault
  }

  /// Says that several calls follow one another on this thread; ``endTurn()`` comes after them.
  package func beginTurn() { vault.committer.beginTurn() }

  /// Says that those calls were made.
  package func endTurn() { vault.committer.endTurn() }

  /// The time that counts now, Unix seconds.
  var now: Int64 { vault.committer.now }

  /// The namespace of this name, opened.
  ///
  /// - Throws: `sealed`, `not_found`, `revoked`, `damaged` or `busy`.
  func open(_ name: NamespaceName) throws(VaultError) -> OpenNamespace {
    guard vault.ledger.unsealed != nil else { throw .sealed }
    if let found = vault.cache.find(name) { return found }
    return try makingRoom { () throws(VaultError) in try load(name) }
  }

  /// Runs `body`, once more with an empty cache if locked memory ran out: what the cache holds is
  /// only there for speed.
  func makingRoom<Value>(
    _ body: () throws(VaultError) -> Value
  ) throws(VaultError) -> Value {
    do {
      return try body()
    } catch  where error.code == .busy {
      vault.cache.dropAll()
      return try body()
    }
  }

  private func load(_ name: NamespaceName) throws(VaultError) -> OpenNamespace {
    let mark = vault.cache.mark(name)
    let namespace = try OpenNamespace(name, from: try ledgerReader())
    vault.cache.insert(namespace, readSince: mark)
    return namespace
  }

  /// The thread's own connection to the ledger.
  func ledgerReader() throws(VaultError) -> LedgerReader {
    if let reader { return reader }
    do {
      let reader = try LedgerReader(vault.ledger)
      self.reader = reader
      return reader
    } catch {
      throw VaultError(error)
    }
  }

  /// The namespaces for which the policy in force grants a method to a caller.
  func reach(of method: StaticString, by subject: AuditEntry.Subject) -> NamespaceReach {
    reaches.reach(of: method, by: subject, vault.authority)
  }

  /// Has the committer change something and write its line, and answers when both are durable.
  ///
  /// - Parameters:
  ///   - entry: the line.
  ///   - takesAway: whether it only takes away, and so may use the reserve of a full disk.
  ///   - reply: given what `body` returns, with the line's number.
  ///   - body: the change.
  func change<Value: Sendable>(
    _ entry: AuditEntry, takesAway: Bool = false,
    _ reply: @escaping Answer<(value: Value, sequence: Int64)>,
    _ body: @escaping @Sendable (CommitContext) throws(VaultError) -> Value
  ) {
    vault.committer.submit(.mutation(entry, takesAway: takesAway, body, finish: reply))
  }

  /// Answers with an error, and records it.
  func refuse<Value>(
    _ entry: AuditEntry, _ error: VaultError, _ reply: @escaping Answer<Value>
  ) {
    vault.refuse(entry, error, reply)
  }

  /// Hands over a finished answer, to be sent when it has its number.
  func release<Value: Sendable>(
    _ value: Value, _ entry: AuditEntry, resting fence: Fence,
    _ reply: @escaping Answer<(value: Value, sequence: Int64)>
  ) {
    vault.committer.hooks.computed?(entry.method)
    vault.committer.submit(
      .release(entry, fence: fence) { result in
        reply(result.map { (value, $0) })
      })
  }
}
