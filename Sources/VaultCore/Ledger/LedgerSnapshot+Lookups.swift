import VaultStore

extension LedgerSnapshot {
  /// Whether every pass has its rows, so that what ``namespaces(inGroup:limit:)`` leaves out is not
  /// merely late.
  var findsEveryGroup: Bool { reader.view.groupsIndexed }

  /// Finds the namespaces whose pass has a reader group that an advertisement may be of: those that
  /// have the group's resolving key first.
  ///
  /// They are hints: what is in a namespace is to be proven, and opening one compares its pass with
  /// what it is found by. That none was left out is *not* proven.
  ///
  /// - Parameters:
  ///   - prefix: the first eight octets of the group's identifier.
  ///   - limit: the most to give.
  /// - Returns: their identifiers and whether they have the key, always in the same order; one can
  ///   be there both with and without, for two groups of its pass.
  /// - Throws: ``LedgerError/store(_:)``.
  func namespaces(
    inGroup prefix: [UInt8], limit: Int
  ) throws(LedgerError) -> [(id: NamespaceID, isKeyed: Bool)] {
    let tag = reader.unsealed.keys.readerGroupTag(of: prefix)
    return try stored { () throws(StoreError) in
      try reader.connection.namespaces(inReaderGroup: tag, limit: limit)
    }.map { (NamespaceID(unchecked: $0.id), $0.isKeyed) }
  }

  /// Whether a namespace is found by the start of a group's identifier; not proven.
  func isFound(
    _ id: NamespaceID, inGroup prefix: [UInt8], isKeyed: Bool
  ) throws(LedgerError) -> Bool {
    let tag = reader.unsealed.keys.readerGroupTag(of: prefix)
    return try stored { () throws(StoreError) in
      try reader.connection.readerGroups(of: id.bytes)
    }.contains(ReaderGroupRow(tag: tag, isKeyed: isKeyed))
  }

  /// Sees that a namespace is found by the reader groups of its pass, and by no other.
  ///
  /// - Parameters:
  ///   - groups: the groups, none when it has no pass.
  ///   - entry: the namespace, from this snapshot.
  /// - Throws: ``Damage/readerGroups(_:)``.
  func check(readerGroups groups: [FoundGroup], of entry: NamespaceEntry) throws(LedgerError) {
    guard findsEveryGroup else { return }
    let damage = Damage.readerGroups(entry.id)
    let found = try stored(damage) { () throws(StoreError) in
      try reader.connection.readerGroups(of: entry.id.bytes)
    }
    guard found == reader.unsealed.keys.rows(of: groups) else { throw .damaged(damage) }
  }
}
