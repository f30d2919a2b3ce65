/// Why the policy allows or denies a call, rule by rule.
package struct Explanation: Hashable, Sendable {
  /// What one rule says of the call.
  package struct Finding: Hashable, Sendable {
    /// The line of its `allow`, from 1.
    package let line: Int
    /// The rule in one line.
    package let rule: String
    /// What it lacks for allowing the call; empty when it allows it.
    package let lacks: [Lack]
    /// The same in words.
    package let words: String
  }

  /// What a rule lacks.
  package enum Lack: String, CaseIterable, Hashable, Sendable {
    /// None of its subjects is the caller.
    case subject
    /// None of its methods is the call's.
    case method
    /// None of its namespaces is the call's, or it is not for all while the call is about the vault.
    case namespace
  }

  /// Why it is denied; `nil` when it is allowed.
  package let reason: DenialReason?
  /// What each rule says, in the order of the policy.
  package let findings: [Finding]

  /// Whether it is allowed, rates aside.
  package var isAllowed: Bool { reason == nil }

  /// The rule that decides: the first that allows the call or, when none does, the first of those that
  /// come nearest; `nil` when no rule is for the caller.
  package var decisive: Finding? {
    if isAllowed { return findings.first { $0.lacks.isEmpty } }
    return findings.filter { !$0.lacks.contains(.subject) }.min { $0.lacks.count < $1.lacks.count }
  }
}

extension PolicyInForce {
  /// Says why a call is allowed or denied.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - target: what the call is about.
  ///   - caller: who calls, or would.
  /// - Returns: what each rule says, and what follows.
  package func explain(
    _ method: String, _ target: PolicyTarget, by caller: Caller
  ) -> Explanation {
    let findings = rules.map { rule in
      var lacks: [Explanation.Lack] = []
      if !rule.isFor(caller) { lacks.append(.subject) }
      if !rule.rule.grants(method) { lacks.append(.method) }
      if !rule.granted.covers(target) { lacks.append(.namespace) }
      return Explanation.Finding(
        line: rule.rule.line, rule: rule.rule.description, lacks: lacks,
        words: Self.words(lacks, method, target))
    }
    return Explanation(reason: denial(of: method, target, by: caller), findings: findings)
  }

  private static func words(
    _ lacks: [Explanation.Lack], _ method: String, _ target: PolicyTarget
  ) -> String {
    if lacks.isEmpty { return "allows it" }
    let parts = lacks.map { lack in
      switch lack {
      case .subject: "does not name the caller"
      case .method: "does not grant \(method)"
      case .namespace:
        switch target {
        case .vault: "is not for all namespaces (**), which a call about the vault needs"
        case .namespace(let name): "is not for the namespace \(name)"
        case .subtree(let name): "is not for \(name) and all below it"
        case .filtered: "is for no namespace"
        }
      }
    }
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
