/// A rule with the numbers of its users and groups.
struct ResolvedRule: Hashable, Sendable {
  let rule: PolicyRule
  let granted: GrantedRule
  let users: Set<UInt32>
  let groups: Set<UInt32>
  let units: Set<String>

  init(
    _ rule: PolicyRule, index: Int, accounts: some AccountDirectory,
    unresolved: inout [UnresolvedSubject]
  ) {
    self.rule = rule
    granted = GrantedRule(
      index: index, line: rule.line, rate: rule.rate, namespaceRate: rule.namespaceRate,
      namespaces: NamespaceScope(rule.namespaces))
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []
    var units: Set<String> = []
    for subject in rule.subjects {
      let isResolved: Bool
      switch subject {
      case .user(let account):
        let number = account.number(accounts.user)
        if let number { users.insert(number) }
        isResolved = number != nil
      case .group(let account):
        let number = account.number(accounts.group)
        if let number { groups.insert(number) }
        isResolved = number != nil
      case .unit(let name):
        units.insert(name)
        isResolved = true
      }
      if !isResolved {
        unresolved.append(UnresolvedSubject(line: rule.line, subject: subject.description))
      }
    }
    self.users = users
    self.groups = groups
    self.units = units
  }

  /// Whether a caller is one of its subjects.
  func isFor(_ caller: Caller) -> Bool {
    if users.contains(caller.uid) { return true }
    if let unit = caller.unit, units.contains(unit) { return true }
    if groups.isEmpty { return false }
    return groups.contains(caller.gid) || caller.groups.contains { groups.contains($0) }
  }
}

extension PolicySubject.Account {
  fileprivate func number(_ lookUp: (String) -> UInt32?) -> UInt32? {
    switch self {
    case .number(let number): number
    case .name(let name): lookUp(name)
    }
  }
}
