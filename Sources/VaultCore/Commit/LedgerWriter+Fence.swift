extension LedgerWriter {
  /// Sees whether what an answer rests on still holds, changes earlier in the transaction included.
  ///
  /// The one rule for answers that are released and for changes that rest on a computation.
  ///
  /// - Returns: the namespace's generation.
  /// - Throws: ``VaultError`` `revoked` when the namespace or the key is gone, `conflict` when the
  ///   namespace is another now, `damaged`.
  @discardableResult
  func check(_ fence: Fence) throws(VaultError) -> Int64 {
    do throws(LedgerError) {
      guard let found = try namespace(named: fence.name), found.id == fence.namespaceID,
        found.state != .tombstone
      else { throw .namespaceRevoked }
      if found.generation == fence.generation { return found.generation }
    } catch {
      throw VaultError(error)
    }
    if let key = fence.key, try !holds(key, fence) {
      throw VaultError(
        .revoked, "the key was deleted while the answer was made: get the new one",
        field: "namespace")
    }
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
