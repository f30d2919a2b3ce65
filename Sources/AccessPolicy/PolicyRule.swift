/// One rule: what its subjects may do.
package struct PolicyRule: Hashable, Sendable, CustomStringConvertible {
  /// The line of its `allow`, from 1.
  package var line: Int
  /// Whom it is for: whoever is one of these.
  package var subjects: [PolicySubject]
  /// The methods it grants.
  package var methods: [MethodPattern]
  /// The namespaces it grants them for.
  package var namespaces: [NamespacePattern]
  /// How often each user may call under this rule; `nil` without a limit.
  package var rate: CallRate?
  /// How often each namespace may be called for under this rule; `nil` without a limit.
  package var namespaceRate: CallRate?

  /// Whether it has a method.
  package func grants(_ method: String) -> Bool {
    methods.contains { $0.matches(method) }
  }

  /// The rule in one line, without comments.
  package var description: String {
    var words = ["allow"]
    words += subjects.map(\.description)
    words += ["methods"] + methods.map(\.description)
    words += ["namespaces"] + namespaces.map(\.description)
    if let rate { words += ["rate", rate.description] }
    if let namespaceRate { words += ["namespace-rate", namespaceRate.description] }
    return words.joined(separator: " ")
  }
}
