extension LedgerWriter {
  /// Sees whether what an answer rests on still holds, changes earlier in the transaction included.
  ///
  /// The one rule for answers that are released and for changes that rest on a computation.
  ///
  /// - Returns: the namespace's generation.
  /// - Throws: ``VaultError`` `revoked` when the namespace or the key is gone, `key_unusable` when the
  ///   namespace is suspended, `conflict` when it is another now, `damaged`.
  @discardableResult
  func check(_ fence: Fence) throws(VaultError) -> Int64 {
    let found: NamespaceEntry
    do throws(LedgerError) {
      guard let entry = try namespace(named: fence.name), entry.id == fence.namespaceID,
        entry.state != .tombstone
      else { throw .namespaceRevoked }
      found = entry
    } catch {
      throw VaultError(error)
    }
    if found.generation == fence.generation { return found.generation }
    if let key = fence.key, try !holds(key, fence) {
      throw VaultError(
        .revoked, "the key was deleted while the answer was made: get the new one",
        field: "namespace")
    }
    guard found.state != .suspended else { throw .suspended }
    throw VaultError(
      .conflict, "the namespace changed while the answer was made: call again", retry: true)
  }

  private func holds(_ key: KeyReference, _ fence: Fence) throws(VaultError) -> Bool {
    do throws(LedgerError) {
      return try contents(of: fence.name).headers.contains {
        $0.kind == .key && $0.id == key.identifier
      }
    } catch {
      throw VaultError(error)
    }
  }
}
