/// A rule as it bears on one caller and one method.
package struct GrantedRule: Hashable, Sendable {
  /// Its place among the rules of the policy, from 0; with the revision it names a rule.
  package let index: Int
  /// The line of its `allow`, from 1.
  package let line: Int
  /// How often each user may call under this rule; `nil` without a limit.
  package let rate: CallRate?
  /// How often each namespace may be called for under this rule; `nil` without a limit.
  package let namespaceRate: CallRate?
  /// The namespaces it is for.
  let namespaces: NamespaceScope

  /// Whether it allows a call about this.
  package func covers(_ target: PolicyTarget) -> Bool {
    switch target {
    case .vault: namespaces.hasAll
    case .namespace(let name): namespaces.contains(name)
    case .subtree(let name): namespaces.containsAll(from: name)
    case .filtered: true
    }
  }
}
