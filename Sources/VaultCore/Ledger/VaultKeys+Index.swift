import VaultCrypto
import VaultStore

// The digests of the authenticated index. Every message starts with a label of its own
// and encodes each field with its length, so that no two things have the same message.
extension VaultKeys {
  /// The bucket of a name: the first two octets of its keyed hash.
  func bucket(of name: String) -> Int64 {
    var message = CanonicalEncoder("latchkey name", reservingCapacity: 160)
    message.text(name)
    let hash = nameHash.code(message.bytes.span)
    return Int64(hash[0]) << 8 | Int64(hash[1])
  }

  /// The rows of the reader groups of a namespace: of the part of their identifiers that an
  /// advertisement carries.
  func rows(of groups: [FoundGroup], in name: String) -> Set<ReaderGroupRow> {
    Set(
      groups.map { group in
        ReaderGroupRow(
          tag: readerGroupTag(of: Array(group.identifier.prefix(8))), isKeyed: group.isKeyed,
          name: name)
      })
  }

  /// The tag of a group of readers, 16 octets, from the first eight octets of its identifier.
  func readerGroupTag(of prefix: [UInt8]) -> [UInt8] {
    var message = CanonicalEncoder("latchkey reader group", reservingCapacity: 64)
    message.octets(prefix)
    return Array(lookup.code(message.bytes.span).prefix(16))
  }

  /// The digest of a bucket over every column of its rows, which are sorted by name.
  func digest(ofBucket bucket: Int64, _ rows: [NamespaceRow]) -> [UInt8] {
    var message = CanonicalEncoder("latchkey bucket", reservingCapacity: 64 + 384 * rows.count)
    message.integer(bucket)
    message.integer(Int64(rows.count))
    for row in rows {
      message.integer(row.bucket)
      message.text(row.name)
      message.octets(row.id)
      message.integer(row.generation)
      message.integer(row.state)
      for version in row.keyVersions { message.integer(version) }
      message.integer(row.deleteAfter)
      message.integer(row.created)
      message.integer(row.changed)
      message.octets(row.recordSet)
      message.optional(row.keyNonce)
      message.optional(row.keyBox)
    }
    return index.code(message.bytes.span)
  }

  /// The digest of an index page.
  func digest(of page: IndexPageRow) -> [UInt8] {
    var message = CanonicalEncoder("latchkey page", reservingCapacity: 2_144)
    message.integer(page.page)
    message.integer(Int64(bitPattern: page.used))
    message.octets(page.digests)
    return index.code(message.bytes.span)
  }

  /// The digest of a group of 32 page digests.
  func digest(ofGroup group: Int64, _ digests: [UInt8]) -> [UInt8] {
    var message = CanonicalEncoder("latchkey group", reservingCapacity: 1_088)
    message.integer(group)
    message.octets(digests)
    return index.code(message.bytes.span)
  }

  /// The digest over the headers of a namespace's records, sorted by kind and identifier.
  ///
  /// The nonce stands for the content: it is drawn anew for each version, and the box opens under
  /// no other nonce.
  func digest(ofRecords headers: [RecordHeaderRow], of namespaceID: [UInt8]) -> [UInt8] {
    var message = CanonicalEncoder("latchkey records", reservingCapacity: 96 + 96 * headers.count)
    message.octets(namespaceID)
    message.integer(Int64(headers.count))
    for header in headers {
      message.integer(header.kind)
      message.text(header.recordID)
      message.integer(header.revision)
      message.octets(header.nonce)
    }
    return index.code(message.bytes.span)
  }

  /// The digest of a slot with its number.
  func digest(of slot: SlotRow) -> [UInt8] {
    var message = CanonicalEncoder("latchkey slot digest", reservingCapacity: 512)
    message.integer(slot.slot)
    message.octets(slot.body)
    return state.code(message.bytes.span)
  }

  /// The digest of the policy row.
  func digest(of policy: PolicyRow) -> [UInt8] {
    var message = CanonicalEncoder("latchkey policy digest", reservingCapacity: 512)
    message.integer(policy.revision)
    message.octets(policy.nonce)
    message.octets(policy.box)
    return state.code(message.bytes.span)
  }

  /// The MAC of the state row over all its columns and the identity of the vault.
  func mac(of row: StateRow, in vault: VaultRow) -> [UInt8] {
    var message = CanonicalEncoder("latchkey state", reservingCapacity: 2_048)
    message.octets(vault.vaultID)
    message.octets(vault.instanceID)
    message.integer(vault.format)
    message.integer(vault.created)
    message.integer(row.indexVersion)
    message.integer(row.epoch)
    message.integer(row.seq)
    message.octets(row.chainHead)
    message.integer(row.clockFloor)
    message.octets(row.indexRoot)
    message.octets(row.slotSet)
    message.integer(row.nextSlot)
    message.integer(row.policyRevision)
    message.octets(row.policyDigest)
    message.integer(row.erasurePending)
    // A state of schema version 1 had no such column; both forms must stay valid.
    if row.groupsIndexed { message.integer(1) }
    return state.code(message.bytes.span)
  }

  /// The proof that the master key belongs to the vault of this row.
  func check(of vault: VaultRow) -> [UInt8] {
    var message = CanonicalEncoder("latchkey vault", reservingCapacity: 128)
    message.octets(vault.vaultID)
    message.octets(vault.instanceID)
    message.integer(vault.format)
    message.integer(vault.created)
    return state.code(message.bytes.span)
  }
}
