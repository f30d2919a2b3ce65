import VaultStore

extension LedgerSnapshot {
  /// Whether every pass has its rows, so that what ``namespaces(inGroup:limit:)`` leaves out is not
  /// merely late.
  var findsEveryGroup: Bool { reader.view.groupsIndexed }

  /// Finds the namespaces whose pass has a reader group that an advertisement may be of.
  ///
  /// They are hints: each namespace is to be opened, which proves its pass and compares it with what
  /// the namespace is found by. That none was left out is *not* proven.
  ///
  /// - Parameters:
  ///   - prefix: the first eight octets of the group's identifier.
  ///   - limit: the most to give.
  /// - Returns: their identifiers, always in the same order.
  /// - Throws: ``LedgerError/store(_:)``.
  func namespaces(
    inGroup prefix: [UInt8], limit: Int
  ) throws(LedgerError) -> [NamespaceID] {
    let tag = reader.unsealed.keys.readerGroupTag(of: prefix)
    return try stored { () throws(StoreError) in
      try reader.connection.namespaces(inReaderGroup: tag, limit: limit)
    }.map { NamespaceID(unchecked: $0) }
  }

  /// Sees that a namespace is found by the reader groups of its pass, and by no other.
  ///
  /// - Parameters:
  ///   - groups: the groups' identifiers, none when it has no pass.
  ///   - entry: the namespace, from this snapshot.
  /// - Throws: ``Damage/readerGroups(_:)``.
  func check(readerGroups groups: [[UInt8]], of entry: NamespaceEntry) throws(LedgerError) {
    guard findsEveryGroup else { return }
    let damage = Damage.readerGroups(entry.id)
    let found = try stored(damage) { () throws(StoreError) in
      try reader.connection.readerGroups(of: entry.id.bytes)
    }
    guard Set(found) == reader.unsealed.keys.readerGroupTags(of: groups) else {
      throw .damaged(damage)
    }
  }
}
