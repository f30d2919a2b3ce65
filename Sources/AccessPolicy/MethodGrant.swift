/// What the rules that apply to one caller and one method allow.
///
/// Made once for a caller and a method and asked for each call; asking allocates nothing.
package struct MethodGrant: Hashable, Sendable {
  /// The rules that have both the caller and the method, in the order of the policy.
  package let rules: [GrantedRule]
  /// Why a call is denied when there is no such rule.
  let absence: DenialReason

  init(_ rules: [GrantedRule], absence: DenialReason) {
    self.rules = rules
    self.absence = absence
  }

  /// Whether a call is allowed, rates aside.
  ///
  /// - Returns: `nil` when it is.
  package func denial(of target: PolicyTarget) -> DenialReason? {
    if rules.isEmpty { return absence }
    return rules.contains { $0.covers(target) } ? nil : .namespace
  }

  /// The rules that allow a call, in the order in which their rates are to be asked.
  package func allowing(_ target: PolicyTarget) -> AllowingRules {
    AllowingRules(rules: rules, target: target)
  }

  /// Whether no namespace is out of reach.
  package var coversEverything: Bool {
    rules.contains { $0.namespaces.hasAll }
  }

  /// The namespaces within reach, for filtering a list: those that match any pattern.
  package var namespacePatterns: [NamespacePattern] {
    if coversEverything { return [.all] }
    var seen: Set<NamespacePattern> = []
    return rules.flatMap(\.namespaces.patterns).filter { seen.insert($0).inserted }
  }
}

/// The rules of a grant that allow one call.
package struct AllowingRules: Sequence, IteratorProtocol {
  let rules: [GrantedRule]
  let target: PolicyTarget
  var position = 0

  init(rules: [GrantedRule], target: PolicyTarget) {
    self.rules = rules
    self.target = target
  }

  /// The next of them.
  package mutating func next() -> GrantedRule? {
    while position < rules.count {
      let rule = rules[position]
      position += 1
      if rule.covers(target) { return rule }
    }
    return nil
  }
}
