/// Numbers and associated data of the formats in the database.
enum LedgerFormat {
  /// The version of the record, slot and index formats.
  static let version: Int64 = 1

  /// How many buckets the index has, in how many pages and groups.
  static let bucketsPerPage: Int64 = 64
  static let pagesPerGroup: Int64 = 32
  static let bucketsPerGroup: Int64 = 2_048
  static let pageCount: Int64 = 1_024
  static let groupCount: Int64 = 32

  /// The pages of a group.
  static func pages(ofGroup group: Int64) -> Range<Int64> {
    group * pagesPerGroup..<(group + 1) * pagesPerGroup
  }

  /// The most slots of a vault; the schema has room for 64 in the state row.
  static let maximumSlots = 32

  /// The most octets of a record or of the policy: the box must fit the schema's bound.
  static let maximumPlaintext = 1_048_560

  /// What a record is bound to: it opens nowhere else, under no other name and revision.
  static func associatedData(
    vaultID: [UInt8], namespaceID: [UInt8], kind: Int64, recordID: String, revision: Int64
  ) -> [UInt8] {
    var data = CanonicalEncoder("latchkey record", reservingCapacity: 192)
    data.integer(version)
    data.octets(vaultID)
    data.octets(namespaceID)
    data.integer(kind)
    data.text(recordID)
    data.integer(revision)
    return data.bytes
  }

  /// What the wrapped data key of a namespace is bound to.
  static func dataKeyAssociatedData(vaultID: [UInt8], namespaceID: [UInt8]) -> [UInt8] {
    var data = CanonicalEncoder("latchkey data key", reservingCapacity: 96)
    data.integer(version)
    data.octets(vaultID)
    data.octets(namespaceID)
    return data.bytes
  }

  /// What the sealed policy is bound to.
  static func policyAssociatedData(vaultID: [UInt8], revision: Int64) -> [UInt8] {
    var data = CanonicalEncoder("latchkey policy", reservingCapacity: 96)
    data.integer(version)
    data.octets(vaultID)
    data.integer(revision)
    return data.bytes
  }

  /// The set of slots as the state row has it: number and digest of each, ascending.
  static func slotSet(_ digests: [Int64: [UInt8]]) -> [UInt8] {
    var set: [UInt8] = []
    for (slot, digest) in digests.sorted(by: { $0.key < $1.key }) {
      for shift: Int64 in [24, 16, 8, 0] { set.append(UInt8(truncatingIfNeeded: slot >> shift)) }
      set.append(contentsOf: digest)
    }
    return set
  }

  /// Reads a set of slots back: the digest of each number.
  static func slotDigests(_ set: [UInt8]) -> [Int64: [UInt8]] {
    var digests: [Int64: [UInt8]] = [:]
    var offset = 0
    while set.count - offset >= 36 {
      let number = set[offset..<offset + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      digests[number] = [UInt8](set[offset + 4..<offset + 36])
      offset += 36
    }
    return digests
  }
}
