package import WireCoding

/// Which namespaces an advertisement may be meant for.
package struct AdvertisementMatches: Sendable {
  /// One namespace and one of its reader groups.
  package struct Match: Hashable, Sendable {
    /// The namespace.
    package let namespace: NamespaceName
    /// The group's identifier, 16 octets.
    package let readerGroup: [UInt8]
    /// Whether the advertisement was checked with a group resolving key; without one only the start of
    /// the identifier agrees.
    package let isVerified: Bool
  }

  /// Whether the reader can be connected to.
  package let isConnectable: Bool
  /// The matches, verified ones first.
  package internal(set) var matches: [Match]
  /// Whether there may be more, in namespaces that were not looked at: ask for one by name.
  package let hasMore: Bool
}
