package import WireCoding

/// What a call is about, as far as the policy cares.
package enum PolicyTarget: Hashable, Sendable {
  /// The vault as a whole: only rules for all namespaces (`**`) grant it.
  case vault
  /// One namespace.
  case namespace(NamespaceName)
  /// A name and everything below it; only a rule that covers all of that grants it.
  case subtree(NamespaceName)
  /// Whatever namespaces the caller has a right to: the result is filtered, or a namespace that the
  /// call does not name is checked later.
  case filtered
}
