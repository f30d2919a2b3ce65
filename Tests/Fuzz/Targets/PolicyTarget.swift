import AccessPolicy
import WireCoding

extension FuzzTarget {
  /// Policies: a fault lies in the text; what is taken decides as its rules say when they are asked
  /// one by one, and its look means nothing.
  static let policy = FuzzTarget(
    "policy",
    words: PolicyPreset.allCases.map(\.rawValue) + [
      "policy 1\n", "allow ", "user:", "group:", "unit:", ".service", "\nmethods ", "\nnamespaces ",
      "\nrate ", "\nnamespace-rate ", " burst ", "/**", "/*", "**", "*", ".*", "#", "\t", "\r\n",
      "\u{202E}", "4294967295", "1000000", "status", "key.sign", "a/b",
    ]
  ) { input in
    guard let text = String(validating: copy(input), as: UTF8.self) else { return }
    let lax = try? Policy(text, methods: nil)
    do throws(PolicyFault) {
      let policy = try Policy(text, methods: PolicyChecks.methods)
      require(lax == policy, "a list of methods only refuses")
      PolicyChecks.checkLooks(of: policy)
      PolicyChecks.checkDecisions(of: policy)
    } catch {
      let lines = text.unicodeScalars.count { $0 == "\n" } + 1
      require((1...lines).contains(error.line) && !error.reason.isEmpty, "a line of the text")
      require(
        error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "plain words only")
      require(error.description.utf8.count < 300, "a short message")
    }
  }
}

private enum PolicyChecks {
  static let methods = [
    "status", "seal", "slot.list", "namespace.list", "key.sign", "presentation.open", "policy.set",
  ]

  /// The accounts that there are: those with a short name.
  struct Accounts: AccountDirectory {
    func user(named name: String) -> UInt32? {
      name.utf8.count < 6 ? UInt32(name.utf8.count) : nil
    }
    func group(named name: String) -> UInt32? { user(named: name) }
  }

  /// A rule by itself, each of its parts in a line.
  static func text(of rule: PolicyRule) -> String {
    var text = "allow " + rule.subjects.map(\.description).joined(separator: " ")
    text += "\nmethods " + rule.methods.map(\.description).joined(separator: " ")
    text += "\nnamespaces " + rule.namespaces.map(\.description).joined(separator: "\nnamespaces ")
    if let rate = rule.rate { text += "\nrate \(rate)" }
    if let rate = rule.namespaceRate { text += "\nnamespace-rate \(rate)" }
    return text
  }

  /// Written in the plainest way, or with other blanks, a policy says the same.
  static func checkLooks(of policy: Policy) {
    let plain = "policy 1\n" + policy.rules.map(text).joined(separator: "\n")
    let spaced = policy.text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "\t \(String(String.UnicodeScalarView($0))) # more\n" }.joined(separator: "\n")
    for look in [plain, spaced] where look.utf8.count <= Policy.maximumCount {
      guard let again = try? Policy(look, methods: methods) else {
        return require(false, "what was read can be written and read")
      }
      require(
        again.rules.map(\.description) == policy.rules.map(\.description), "the look means nothing")
      require(!again.removesRights(comparedWith: policy), "and takes nothing away")
    }
  }

  /// A call is allowed exactly when some rule, asked by itself, allows it.
  static func checkDecisions(of policy: Policy) {
    let inForce = PolicyInForce(policy, revision: 1, accounts: Accounts())
    let single = policy.rules.compactMap { rule in
      (try? Policy("policy 1\n" + text(of: rule), methods: methods)).map {
        PolicyInForce($0, revision: 1, accounts: Accounts())
      }
    }
    require(single.count == policy.rules.count, "each rule stands by itself")
    let names = ["a", "a/b", "a/b/c"].compactMap { try? NamespaceName($0) }
    let targets =
      [PolicyTarget.vault, .filtered] + names.map { .namespace($0) }
      + names.map { .subtree($0) }
    let callers = [
      Caller(uid: 1, gid: 2, groups: [3], pid: 1),
      Caller(uid: 4_294_967_294, gid: 0, groups: [], pid: 1, unit: "a.service"),
    ]
    for caller in callers {
      for method in methods {
        let grant = inForce.grant(of: method, to: caller)
        for target in targets {
          let denial = grant.denial(of: target)
          let allowing = single.indices.filter {
            single[$0].denial(of: method, target, by: caller) == nil
          }
          require((denial == nil) == !allowing.isEmpty, "a rule decides")
          require(denial == inForce.denial(of: method, target, by: caller), "both ways agree")
          require(grant.allowing(target).map(\.index) == allowing, "in order")
          require(
            denial == inForce.explain(method, target, by: caller).reason, "the reason is the one")
        }
        for name in names {
          let isListed = grant.namespacePatterns.contains { $0.matches(name) }
          require(
            isListed == (grant.denial(of: .namespace(name)) == nil), "a list shows what is granted")
        }
        if grant.denial(of: .vault) == nil {
          require(targets.allSatisfy { grant.denial(of: $0) == nil }, "all is more than any part")
        }
      }
      require(
        inForce.admits(caller)
          == (inForce.grant(of: "status", to: caller).denial(of: .vault) != .noRule),
        "whoever is named may come in")
    }
  }
}
