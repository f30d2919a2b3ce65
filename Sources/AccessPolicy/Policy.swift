/// A policy as people write it; `latchkey-policy(5)` has its language.
package struct Policy: Hashable, Sendable {
  /// The most octets of its text.
  package static let maximumCount = 65_536

  /// The text, as it was written.
  package let text: String
  /// Its rules, in their order.
  package let rules: [PolicyRule]

  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - text: the text, at most 64 KiB.
  ///   - methods: the methods that a policy decides about; a word that means none of them is refused.
  ///     `nil` takes every word of the right form, for a policy that an earlier release has stored.
  /// - Throws: ``PolicyFault`` with the line and the word.
  package init(_ text: String, methods: [String]?) throws(PolicyFault) {
    var parser = PolicyParser(methods: methods)
    self.text = text
    rules = try parser.read(text)
  }

  /// Whether this policy may take a right away that another one gave.
  ///
  /// Errs on the safe side: only when each rule of the other is still there as it was, line numbers
  /// and comments aside, nothing can have been taken away.
  ///
  /// - Parameter other: the policy before.
  /// - Returns: whether any rule of it is gone or changed.
  package func removesRights(comparedWith other: Policy) -> Bool {
    var left: [RuleContent: Int] = [:]
    for rule in rules { left[RuleContent(rule), default: 0] += 1 }
    for rule in other.rules {
      // A rule that stood twice had its rate twice.
      guard let count = left[RuleContent(rule)], count > 0 else { return true }
      left[RuleContent(rule)] = count - 1
    }
    return false
  }

  /// The policy of a new vault: one administrator, who may do everything.
  ///
  /// - Parameter subject: `user:NAME`, `user:1000`, `group:NAME` or `group:1000`; what
  ///   `FirstAdmin` takes.
  /// - Returns: its text.
  package static func first(admin subject: String) -> String {
    "policy 1\n\nallow \(subject)\n  methods admin\n  namespaces **\n"
  }
}

/// What a rule says, however its words are ordered and wherever it stands.
private struct RuleContent: Hashable {
  let subjects: Set<PolicySubject>
  let methods: Set<MethodPattern>
  let namespaces: Set<NamespacePattern>
  let rate: CallRate?
  let namespaceRate: CallRate?

  init(_ rule: PolicyRule) {
    subjects = Set(rule.subjects)
    methods = Set(rule.methods)
    namespaces = Set(rule.namespaces)
    rate = rule.rate
    namespaceRate = rule.namespaceRate
  }
}
