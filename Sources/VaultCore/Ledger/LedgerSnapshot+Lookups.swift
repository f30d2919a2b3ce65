import VaultStore
import WireCoding

extension LedgerSnapshot {
  /// Whether every pass has its rows, so that what ``namespaces(inGroup:limit:)`` leaves out is not
  /// merely late.
  var findsEveryGroup: Bool { reader.view.groupsIndexed }

  /// Finds the namespaces whose pass has a reader group that an advertisement may be of: those that
  /// have the group's resolving key first, and by name among these and those.
  ///
  /// They are hints: what is in a namespace is to be proven, and opening one compares its pass with
  /// what it is found by. That none was left out is *not* proven.
  ///
  /// - Parameters:
  ///   - prefix: the first eight octets of the group's identifier.
  ///   - reach: the namespaces to look among; of the others a whole gap costs one read.
  ///   - limit: the most to give.
  ///   - bound: how many gaps between these to step over at most, with the key and without.
  /// - Returns: the namespaces; one can be there both with and without the key, for two groups of its
  ///   pass. `nil` when there were more gaps.
  /// - Throws: ``LedgerError/store(_:)``.
  func namespaces(
    inGroup prefix: [UInt8], within reach: NamespaceReach, limit: Int, gaps bound: Int = .max
  ) throws(LedgerError) -> [FoundNamespace]? {
    let tag = reader.unsealed.keys.readerGroupTag(of: prefix)
    let connection = reader.connection
    var namespaces: [FoundNamespace] = []
    for isKeyed in [true, false] {
      let isWhole = try reach.walk(atMost: bound) { (start, isWanted) throws(LedgerError) in
        guard namespaces.count < limit else { return nil }
        let (found, unwanted) = try stored { () throws(StoreError) in
          try connection.namespaces(
            inReaderGroup: tag, isKeyed: isKeyed, from: start, limit: limit - namespaces.count,
            while: isWanted)
        }
        namespaces += found.map {
          FoundNamespace(name: $0.name, id: NamespaceID(unchecked: $0.id), isKeyed: isKeyed)
        }
        return unwanted
      }
      guard isWhole else { return nil }
    }
    return namespaces
  }

  /// Proves a namespace that was found a moment ago.
  ///
  /// - Returns: `nil` when it is not found by the group any more.
  /// - Throws: ``Damage/readerGroups(_:)`` when it is, and there is no such namespace.
  func namespace(
    _ found: FoundNamespace, inGroup prefix: [UInt8]
  ) throws(LedgerError) -> NamespaceEntry? {
    let tag = reader.unsealed.keys.readerGroupTag(of: prefix)
    let isFound = try stored { () throws(StoreError) in
      try reader.connection.readerGroups(of: found.id.bytes)
    }.contains(ReaderGroupRow(tag: tag, isKeyed: found.isKeyed, name: found.name))
    guard isFound else { return nil }
    // The vault takes the rows of a namespace away with its pass.
    guard let name = try? NamespaceName(found.name), let entry = try namespace(named: name),
      entry.id == found.id, entry.state != .tombstone
    else { throw .damaged(.readerGroups(found.id)) }
    return entry
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
    guard found == reader.unsealed.keys.rows(of: groups, in: entry.name.rawValue)
    else { throw .damaged(damage) }
  }
}
