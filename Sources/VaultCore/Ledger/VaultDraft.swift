import AccessPolicy
import SecureMemory
package import VaultCrypto
import VaultStore

/// A vault that does not exist yet: its keys, and the slots it will have.
package struct VaultDraft: ~Copyable, Sendable {
  /// The identifier the vault will have, 16 octets.
  package let vaultID: [UInt8]
  /// When it is made, Unix seconds.
  package let created: Int64
  let keys: VaultKeys
  private(set) var slots: [SlotRow] = []

  /// Draws a master key and an identifier.
  ///
  /// - Parameter created: now, Unix seconds.
  /// - Throws: ``LedgerError/crypto(_:)`` without locked memory.
  package init(created: Int64) throws(LedgerError) {
    vaultID = SecureRandom.bytes(16)
    self.created = created
    do { keys = try VaultKeys(try MasterKey.generate()) } catch let error as VaultCryptoError {
      throw .crypto(error)
    } catch let error as LedgerError { throw error } catch { throw .misuse }
  }

  /// Adds a slot.
  ///
  /// Slow for passphrases.
  ///
  /// - Parameters:
  ///   - secret: what shall open it.
  ///   - label: what people call it, at most 64 octets.
  ///   - parameters: what Argon2id costs, if the secret is a passphrase.
  /// - Returns: its number.
  /// - Throws: ``LedgerError/tooManySlots``, ``LedgerError/tooLarge``, ``LedgerError/crypto(_:)``.
  @discardableResult
  package mutating func addSlot(
    _ secret: borrowing UnsealSecret, label: String,
    parameters: Argon2id.Parameters = .moderate
  ) throws(LedgerError) -> Int64 {
    guard slots.count < LedgerFormat.maximumSlots else { throw .tooManySlots }
    let number = Int64(slots.count) + 1
    slots.append(
      SlotRow(
        slot: number,
        body: try UnsealSlot.body(
          sealing: keys.master, for: secret, vaultID: vaultID, label: label, created: created,
          parameters: parameters)))
    return number
  }

  /// Writes all rows of the empty vault, inside the caller's transaction.
  borrowing func write(
    to connection: SQLiteConnection, firstAdmin: FirstAdmin
  ) throws(LedgerError) {
    var vault = VaultRow(
      vaultID: vaultID, instanceID: SecureRandom.bytes(16), format: LedgerFormat.version,
      created: created, keyCheck: [])
    vault.keyCheck = keys.check(of: vault)
    let policy = try PolicyRow(
      sealing: Array(Policy.first(admin: firstAdmin.text).utf8), revision: 1, vaultID: vaultID, keys
    )
    var digests: [Int64: [UInt8]] = [:]
    for slot in slots { digests[slot.slot] = keys.digest(of: slot) }
    let slotSet = LedgerFormat.slotSet(digests)
    var state = StateRow(
      indexVersion: 1, epoch: 0, seq: 0, chainHead: [UInt8](repeating: 0, count: 32),
      clockFloor: created, indexRoot: [], slotSet: slotSet,
      nextSlot: Int64(slots.count) + 1, policyRevision: 1, policyDigest: keys.digest(of: policy),
      erasurePending: 0, groupsIndexed: true, mac: [])
    let rows = (vault, slots)
    try stored { () throws(StoreError) in
      try connection.put(rows.0)
      for slot in rows.1 { try connection.insert(slot) }
      try connection.put(policy)
    }
    for group in 0..<LedgerFormat.groupCount {
      var digests: [UInt8] = []
      for number in LedgerFormat.pages(ofGroup: group) {
        let page = IndexPageRow(page: number, used: 0, digests: [])
        try stored { () throws(StoreError) in try connection.put(page) }
        digests.append(contentsOf: keys.digest(of: page))
      }
      let group = (group, digests)
      try stored { () throws(StoreError) in try connection.putIndexGroup(group.0, group.1) }
      state.indexRoot.append(contentsOf: keys.digest(ofGroup: group.0, group.1))
    }
    state.mac = keys.mac(of: state, in: vault)
    let settled = state
    try stored { () throws(StoreError) in try connection.put(settled) }
  }
}
