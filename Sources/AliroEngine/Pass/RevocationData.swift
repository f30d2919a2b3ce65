import WireCoding

/// The value of a revocation document's element (section 13), as far as it is described.
struct RevocationData: Hashable, Sendable {
  let mode: RevocationDocument.ChangeMode
  /// When each of the entries to add ends; `.latest` for one that does not.
  private let ends: [Timestamp]
  /// Whether there are entries to take back.
  private let takesBack: Bool
  /// Whether an extension (4) may change something besides.
  private let hasExtensions: Bool

  /// Reads a value; `nil` when it is not revocation data.
  init?(_ item: CBORItem) {
    guard item[0]?.unsigned != nil else { return nil }
    switch item[1]?.unsigned {
    case 0: mode = .overwrite
    case 1: mode = .append
    default: return nil
    }
    guard let added = Self.ends(item[2]), let removed = Self.ends(item[3]) else { return nil }
    ends = added
    takesBack = !removed.isEmpty
    hasExtensions = item[4] != nil
  }

  /// How many entries it adds.
  var entryCount: Int { ends.count }

  /// Whether a reader's list could change by it at some time from one on.
  ///
  /// To overwrite is a change also without an entry; what an extension does the vault cannot judge.
  func mayChange(from start: Timestamp) -> Bool {
    mode == .overwrite || takesBack || hasExtensions || ends.contains { start <= $0 }
  }

  /// When the entries of a list, or of a single one in its place, end; `nil` when one is no entry.
  private static func ends(_ item: CBORItem?) -> [Timestamp]? {
    guard let item else { return [] }
    let entries = item.array ?? [item]
    let ends = entries.compactMap(end(ofEntry:))
    return ends.count == entries.count ? ends : nil
  }

  /// Reads `{ ? 0: public key hash, ? 1: id, ? 2: expiry }`, with one of the first two at least.
  private static func end(ofEntry item: CBORItem) -> Timestamp? {
    guard item.map != nil, item[0] != nil || item[1] != nil else { return nil }
    if let hash = item[0], hash.bytes == nil { return nil }
    if let identifier = item[1] {
      guard let octets = identifier.bytes, octets.count <= AccessData.identifierLimit else {
        return nil
      }
    }
    guard let expiry = item[2] else { return .latest }
    return expiry.tagged(1)?.integer.map { Timestamp(clamping: $0) }
  }
}
