/// The value of a revocation document's element (section 13), as far as it is described.
struct RevocationData {
  let mode: RevocationDocument.ChangeMode
  let entryCount: Int

  /// Reads a value; `nil` when it is not revocation data.
  init?(_ item: CBORItem) {
    guard item[0]?.unsigned != nil else { return nil }
    switch item[1]?.unsigned {
    case 0: mode = .overwrite
    case 1: mode = .append
    default: return nil
    }
    // Entries to add (2) and entries to take back (3).
    let lists = [item[2], item[3]].map { $0.map { $0.array ?? [$0] } ?? [] }
    guard lists.joined().allSatisfy(Self.isEntry) else { return nil }
    entryCount = lists[0].count
  }

  /// `{ ? 0: public key hash, ? 1: id, ? 2: expiry }`, with one of the first two at least.
  private static func isEntry(_ item: CBORItem) -> Bool {
    guard item.map != nil, item[0] != nil || item[1] != nil else { return false }
    if let hash = item[0], hash.bytes == nil { return false }
    if let identifier = item[1] {
      guard let octets = identifier.bytes, octets.count <= AccessData.identifierLimit else {
        return false
      }
    }
    if let expiry = item[2] { return expiry.tagged(1)?.integer != nil }
    return true
  }
}
