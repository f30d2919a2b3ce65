import AccessPolicy
import Testing
import WireCoding

@Suite struct PolicyParserTests {
  static let methods = [
    "hello", "status", "seal", "slot.list", "slot.add", "namespace.get", "namespace.list",
    "key.sign", "presentation.open", "policy.get", "policy.set", "audit.tail",
  ]

  @Test func `reads every part of a rule`() throws {
    let policy = try Policy(
      """
      # Comments may stand before the version,
      policy 1  # behind it,

      allow user:alice user:1000 group:ops group:10 unit:gate-way@1.service # and in any language: é
        methods admin audit.tail slot.*
      \tmethods\t*
        namespaces ** a/b c/* d/e/**
        rate 50 burst 100
        namespace-rate 5
      allow user:0
      namespaces a
      methods seal
      """, methods: Self.methods)
    #expect(policy.rules.count == 2)
    let rule = try #require(policy.rules.first)
    #expect(
      rule.subjects == [
        .user(.name("alice")), .user(.number(1000)), .group(.name("ops")), .group(.number(10)),
        .unit("gate-way@1.service"),
      ])
    #expect(
      rule.methods == [.preset(.admin), .method("audit.tail"), .group("slot"), .all])
    #expect(
      rule.namespaces == [
        .all, .exactly(try NamespaceName("a/b")), .children(try NamespaceName("c")),
        .below(try NamespaceName("d/e")),
      ])
    #expect(rule.line == 4)
    #expect(rule.rate == CallRate(perSecond: 50, burst: 100))
    #expect(rule.namespaceRate == CallRate(perSecond: 5, burst: 5))
    #expect(policy.rules[1].line == 10)
    #expect(policy.rules[1].rate == nil)
  }

  @Test func `reads the first policy of each first admin`() throws {
    for subject in ["user:root", "user:1000", "group:staff", "group:10", "user:A.b_c-d"] {
      let policy = try Policy(Policy.first(admin: subject), methods: Self.methods)
      #expect(policy.rules.map(\.description) == ["allow \(subject) methods admin namespaces **"])
    }
  }
}
