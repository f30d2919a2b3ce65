import VaultStore

/// What the keys prove of a database, read in one transaction.
struct LedgerProof {
  /// The ledger to work with.
  let ledger: UnsealedLedger
  /// The digests of the slots that belong to the vault.
  let slots: [Int64: [UInt8]]
  /// What is damaged, while the state row is not.
  private(set) var damage: [Damage] = []

  /// Reads and proves.
  ///
  /// - Parameters:
  ///   - database: where to read.
  ///   - keys: the keys.
  ///   - slotVaultID: the vault that the opened slot names, `nil` when the keys are known to fit.
  /// - Throws: ``UnsealFailure/otherVault``, ``Damage/vaultRow``, ``Damage/stateRow``,
  ///   ``LedgerError/unsupportedFormat(_:)``.
  init(
    _ database: VaultDatabase, keys: VaultKeys, slotVaultID: [UInt8]?
  ) throws(LedgerError) {
    let connection = try stored { () throws(StoreError) in
      let connection = try database.openReader()
      try connection.beginReading()
      return connection
    }
    let vault = try Self.vault(connection, keys, slotVaultID)
    let state = try Self.state(connection, keys, vault)
    var damage = try Self.slotDamage(connection, keys, state)
    let policy = try whole { () throws(StoreError) in try connection.policyRow() }
    if policy?.revision != state.policyRevision
      || policy.map({ keys.digest(of: $0) }) != state.policyDigest
    {
      damage.append(.policy)
    }
    let pages = try Self.pages(connection, keys, state, &damage)
    self.damage = damage
    slots = LedgerFormat.slotDigests(state.slotSet)
    ledger = UnsealedLedger(
      keys: keys, vault: vault, state: state,
      view: IndexView(
        version: state.indexVersion, pages: pages, groupsIndexed: state.groupsIndexed))
  }

  private static func vault(
    _ connection: SQLiteConnection, _ keys: VaultKeys, _ slotVaultID: [UInt8]?
  ) throws(LedgerError) -> VaultRow {
    let row = try whole { () throws(StoreError) in try connection.vaultRow() }
    guard let row else { throw .damaged(.vaultRow) }
    guard keys.check(of: row) == row.keyCheck, slotVaultID ?? row.vaultID == row.vaultID else {
      // The key may be right and the row wrong: then the check holds for the slot's own vault, or
      // the identifiers agree and it is the check that was changed.
      var named = row
      named.vaultID = slotVaultID ?? row.vaultID
      let isOurs = keys.check(of: named) == row.keyCheck || named.vaultID == row.vaultID
      throw isOurs ? .damaged(.vaultRow) : .unseal(.otherVault)
    }
    guard row.format == LedgerFormat.version else { throw .unsupportedFormat(row.format) }
    return row
  }

  private static func state(
    _ connection: SQLiteConnection, _ keys: VaultKeys, _ vault: VaultRow
  ) throws(LedgerError) -> StateRow {
    let row = try whole { () throws(StoreError) in try connection.stateRow() }
    guard let row, keys.mac(of: row, in: vault) == row.mac else { throw .damaged(.stateRow) }
    return row
  }

  private static func slotDamage(
    _ connection: SQLiteConnection, _ keys: VaultKeys, _ state: StateRow
  ) throws(LedgerError) -> [Damage] {
    var expected = LedgerFormat.slotDigests(state.slotSet)
    let rows = try whole { () throws(StoreError) in try connection.slotRows() } ?? []
    var damaged: [Int64] = []
    for row in rows where expected.removeValue(forKey: row.slot) != keys.digest(of: row) {
      damaged.append(row.slot)
    }
    damaged.append(contentsOf: expected.keys)
    return damaged.sorted().map { .slot($0) }
  }

  /// Proves the page digests, and compares every page with its own.
  ///
  /// A page that differs keeps its proven digest: reading it then fails, and nothing else does.
  private static func pages(
    _ connection: SQLiteConnection, _ keys: VaultKeys, _ state: StateRow,
    _ damage: inout [Damage]
  ) throws(LedgerError) -> [UInt8] {
    var proven: [UInt8] = []
    proven.reserveCapacity(32 * Int(LedgerFormat.pageCount))
    for group in 0..<LedgerFormat.groupCount {
      let root = state.indexRoot[Int(group) * 32..<Int(group) * 32 + 32]
      let stored = try whole { () throws(StoreError) in try connection.indexGroup(group) }
      var found: [UInt8] = []
      for page in LedgerFormat.pages(ofGroup: group) {
        let row = try whole { () throws(StoreError) in try connection.indexPage(page) }
        found.append(
          contentsOf: row.map { keys.digest(of: $0) } ?? [UInt8](repeating: 0, count: 32))
      }
      if let stored, keys.digest(ofGroup: group, stored).elementsEqual(root) {
        for (offset, page) in LedgerFormat.pages(ofGroup: group).enumerated()
        where found[offset * 32..<offset * 32 + 32] != stored[offset * 32..<offset * 32 + 32] {
          damage.append(.indexPage(page))
        }
        proven.append(contentsOf: stored)
      } else {
        damage.append(.indexGroup(group))
        // The pages may all be whole, and then they prove what the group's row should have said.
        let isProven = keys.digest(ofGroup: group, found).elementsEqual(root)
        proven.append(contentsOf: isProven ? found : [UInt8](repeating: 0, count: 1_024))
      }
    }
    return proven
  }
}

/// Reads something whose damage is judged by the caller: malformed reads as missing.
private func whole<Result>(
  _ body: () throws(StoreError) -> Result?
) throws(LedgerError) -> Result? {
  do {
    return try body()
  } catch {
    guard case .damaged = error else { throw .store(error) }
    return nil
  }
}
