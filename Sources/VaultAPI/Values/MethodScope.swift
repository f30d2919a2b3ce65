/// What the calls of a method are about, as far as the policy cares.
public enum MethodScope: String, CaseIterable, Hashable, Sendable {
  /// The policy does not decide: whoever may connect may call it, or the configuration names who.
  case none
  /// The vault as a whole: only a rule for all namespaces grants it.
  case vault
  /// The namespace that the call names.
  case namespace
  /// Whatever namespaces the caller has a right to. A result is filtered; a namespace that the call
  /// names, or that belongs to what it names, is checked.
  case filtered
}
