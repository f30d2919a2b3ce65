import AccessPolicy
import Testing
import WireCoding

@Suite struct PolicyInForceTests {
  @Test func `nothing is allowed unless a rule allows it`() throws {
    let policy = try PolicyInForce(reading: "")
    #expect(!policy.admits(.of(0)))
    for target in [PolicyTarget.vault, .filtered, .namespace(try NamespaceName("a"))] {
      #expect(policy.grant(of: "status", to: .of(0)).denial(of: target) == .noRule)
    }
    #expect(!policy.hasAdministrator)
  }

  @Test func `a rule is for its users, groups and units, and for nobody else`() throws {
    let policy = try PolicyInForce(
      reading: """
        allow user:alice user:7 group:ops group:8 unit:gate.service
        methods status
        namespaces **
        """)
    let callers: [(Caller, Bool)] = [
      (.of(1000), true), (.of(7), true), (.of(1001), false), (.of(8), false), (.of(2000), false),
      (.of(1, 2000), true), (.of(1, 8), true), (.of(1, 1, [2000]), true),
      (.of(1, 1, [3, 8]), true),
      (.of(1, 7), false), (.of(1, 1000, [7, 1000]), false), (.of(1, unit: "gate.service"), true),
      (.of(1, unit: "gate"), false), (.of(1, unit: "Gate.service"), false),
      (.of(1, unit: "gate.service.service"), false), (.of(1, unit: ""), false),
    ]
    for (caller, isNamed) in callers {
      #expect(policy.admits(caller) == isNamed, "\(caller)")
      #expect(
        policy.grant(of: "status", to: caller).denial(of: .vault) == (isNamed ? nil : .noRule))
    }
  }

  @Test func `a name that no account has is for nobody, and is listed with its line`() throws {
    let policy = try PolicyInForce(
      reading: """
        allow user:mallory user:alice group:gone
        methods admin
        namespaces **
        allow group:alice user:ops
        methods admin
        namespaces **
        """)
    #expect(
      policy.unresolved.map { "\($0.line) \($0.subject)" } == [
        "2 user:mallory", "2 group:gone", "5 group:alice", "5 user:ops",
      ])
    #expect(policy.admits(.of(1000)))
    #expect(!policy.admits(.of(1, 1000)) && !policy.admits(.of(2000)))
  }

  @Test func `a denial says what is missing, and never more than that`() throws {
    let policy = try PolicyInForce(
      reading: """
        allow user:alice
        methods key.*
        namespaces a b/*
        """)
    let there = PolicyTarget.namespace(try NamespaceName("a"))
    let elsewhere = PolicyTarget.namespace(try NamespaceName("c"))
    #expect(policy.denial(of: "key.sign", there, by: .of(1000)) == nil)
    #expect(policy.denial(of: "key.sign", elsewhere, by: .of(1000)) == .namespace)
    #expect(policy.denial(of: "key.sign", .vault, by: .of(1000)) == .namespace)
    #expect(policy.denial(of: "pass.info", there, by: .of(1000)) == .method)
    #expect(policy.denial(of: "key.sign", there, by: .of(1001)) == .noRule)
  }

  @Test func `patterns match whole segments`() throws {
    let names = ["a", "ab", "a/b", "a/bc", "a/b/c", "a/b/c/d", "b", "a.b", "a-b/c", "aa/b"]
    let expected: [String: [String]] = [
      "a": ["a"], "a/*": ["a/b", "a/bc"], "a/**": ["a/b", "a/bc", "a/b/c", "a/b/c/d"],
      "a/b/*": ["a/b/c"], "a/b/**": ["a/b/c", "a/b/c/d"], "**": names, "a/b": ["a/b"],
      "a b": ["a", "b"], "a/b/* b": ["a/b/c", "b"], "c/**": [],
    ]
    for (patterns, granted) in expected {
      let policy = try PolicyInForce(reading: "allow user:1\nmethods m\nnamespaces \(patterns)")
      let grant = policy.grant(of: "m", to: .of(1))
      let found = try names.filter {
        grant.denial(of: .namespace(try NamespaceName($0))) == nil
      }
      #expect(found == granted, "\(patterns)")
      let listed = try names.filter { text in
        let name = try NamespaceName(text)
        return grant.namespacePatterns.contains { $0.matches(name) }
      }
      #expect(listed == granted, "\(patterns)")
    }
  }

  @Test func `the vault and a subtree need a rule for all of it`() throws {
    let name = try NamespaceName("a/b")
    let subtree: [String: Bool] = [
      "**": true, "a/**": true, "a/b a/b/**": true, "a/* a/b/**": true, "a/b": false,
      "a/b/**": false, "a/*": false, "a/b a/b/*": false, "a/b/c/** a/b": false, "a": false,
      "a/bb/** a/b": false,
    ]
    for (patterns, isGranted) in subtree {
      let policy = try PolicyInForce(reading: "allow user:1\nmethods m\nnamespaces \(patterns)")
      let grant = policy.grant(of: "m", to: .of(1))
      #expect((grant.denial(of: .subtree(name)) == nil) == isGranted, "\(patterns)")
      #expect((grant.denial(of: .vault) == nil) == (patterns == "**"), "\(patterns)")
      #expect(grant.coversEverything == (patterns == "**"))
      #expect(grant.denial(of: .filtered) == nil)
    }
    // Two rules that cover it together do not: each call is made under one.
    let halves = try PolicyInForce(
      reading: """
        allow user:1
        methods m
        namespaces a/b
        allow user:1
        methods m
        namespaces a/b/**
        """)
    #expect(halves.denial(of: "m", .subtree(name), by: .of(1)) == .namespace)
  }

  @Test func `the rules that allow come in their order, with their rates`() throws {
    let policy = try PolicyInForce(
      reading: """
        allow user:1
        methods m
        namespaces a
        rate 5 burst 6
        allow user:2
        methods m
        namespaces **
        allow group:100
        methods *
        namespaces a b
        namespace-rate 7 burst 8
        allow user:1
        methods n
        namespaces **
        """)
    let grant = policy.grant(of: "m", to: .of(1))
    #expect(grant.rules.map(\.index) == [0, 2])
    let first = grant.allowing(.namespace(try NamespaceName("a"))).map { $0 }
    #expect(first.map(\.index) == [0, 2] && first.map(\.line) == [2, 9])
    #expect(first.map(\.rate) == [CallRate(perSecond: 5, burst: 6), nil])
    #expect(first.map(\.namespaceRate) == [nil, CallRate(perSecond: 7, burst: 8)])
    #expect(grant.allowing(.namespace(try NamespaceName("b"))).map(\.index) == [2])
    #expect(grant.allowing(.vault).map(\.index) == [])
    #expect(grant.namespacePatterns.map(\.description) == ["a", "b"])
    #expect(policy.grant(of: "n", to: .of(1)).namespacePatterns == [.all])
  }

  @Test func `a rule with ten thousand namespaces finds each of them and no other`() throws {
    let names = (0..<2000).map { "n\($0)" }
    let policy = try PolicyInForce(
      reading: "allow user:1\nmethods m\nnamespaces " + names.joined(separator: " ")
        + " " + names.map { "c/\($0)/*" }.joined(separator: " "))
    let grant = policy.grant(of: "m", to: .of(1))
    for name in names {
      #expect(grant.denial(of: .namespace(try NamespaceName(name))) == nil)
      #expect(grant.denial(of: .namespace(try NamespaceName("c/\(name)/x"))) == nil)
      #expect(grant.denial(of: .namespace(try NamespaceName("c/\(name)"))) == .namespace)
      #expect(grant.denial(of: .namespace(try NamespaceName("\(name)x"))) == .namespace)
    }
  }

  @Test(arguments: [
    ("allow user:alice\nmethods admin\nnamespaces **", true),
    ("allow user:77\nmethods policy.set\nnamespaces **", true),
    ("allow group:ops\nmethods policy.*\nnamespaces **", true),
    ("allow user:mallory group:ops\nmethods *\nnamespaces **", true),
    ("allow user:mallory\nmethods admin\nnamespaces **", false),
    ("allow unit:a.service\nmethods admin\nnamespaces **", false),
    ("allow user:alice\nmethods policy.get\nnamespaces **", false),
    ("allow user:alice\nmethods gateway console backup auditor monitor\nnamespaces **", false),
    ("allow user:alice\nmethods admin\nnamespaces a/** b", false),
    (
      "allow user:alice\nmethods admin\nnamespaces a\nallow user:bob\nmethods key.*\nnamespaces **",
      false
    ),
  ])
  func `somebody has to be left who may change the policy`(rules: String, isThere: Bool) throws {
    #expect(try PolicyInForce(reading: rules).hasAdministrator == isThere)
  }
}
