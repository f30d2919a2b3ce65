import AccessPolicy
import Testing
import WireCoding

@Suite struct ExplanationTests {
  private func policy() throws -> PolicyInForce {
    try PolicyInForce(
      reading: """
        # Line 2.
        allow unit:gate.service group:ops
          methods gateway
          namespaces sites/**

        allow user:alice
          methods namespace.list
          methods key.*
          namespaces office
          rate 5
        """)
  }

  @Test func `names the rule that allows`() throws {
    let office = PolicyTarget.namespace(try NamespaceName("office"))
    let explanation = try policy().explain("key.sign", office, by: .of(1000))
    #expect(explanation.isAllowed && explanation.reason == nil)
    #expect(explanation.decisive?.line == 7)
    #expect(
      explanation.decisive?.rule
        == "allow user:alice methods namespace.list key.* namespaces office rate 5 burst 5")
    #expect(explanation.findings.map(\.lacks) == [[.subject, .method, .namespace], []])
    #expect(explanation.decisive?.words == "allows it")
    #expect(
      explanation.findings.first?.words
        == "does not name the caller, does not grant key.sign and is not for the namespace office")
  }

  @Test func `says what each rule lacks`() throws {
    let site = PolicyTarget.namespace(try NamespaceName("sites/1"))
    let explanation = try policy().explain("key.sign", site, by: .of(1000))
    #expect(!explanation.isAllowed && explanation.reason == .namespace)
    #expect(explanation.findings.map(\.lacks) == [[.subject, .method], [.namespace]])
    #expect(
      explanation.findings.map(\.words) == [
        "does not name the caller and does not grant key.sign", "is not for the namespace sites/1",
      ])
    #expect(explanation.decisive?.line == 7)
  }

  @Test func `says what a call about the vault or a subtree needs`() throws {
    let vault = try policy().explain("namespace.list", .vault, by: .of(1000))
    #expect(vault.reason == .namespace)
    #expect(
      vault.decisive?.words
        == "is not for all namespaces (**), which a call about the vault needs")
    let subtree = try policy().explain(
      "key.sign", .subtree(try NamespaceName("office")), by: .of(1000))
    #expect(subtree.decisive?.words == "is not for office and all below it")
    #expect(try policy().explain("namespace.list", .filtered, by: .of(1000)).isAllowed)
  }

  @Test func `names no rule where none is for the caller`() throws {
    let explanation = try policy().explain("key.sign", .vault, by: .of(5))
    #expect(explanation.reason == .noRule && explanation.decisive == nil)
    #expect(explanation.findings.allSatisfy { $0.lacks.contains(.subject) })
  }

  @Test func `agrees with the decision, whatever the call`() throws {
    let policy = try policy()
    let targets: [PolicyTarget] = [
      .vault, .filtered, .namespace(try NamespaceName("office")),
      .namespace(try NamespaceName("sites/1")), .subtree(try NamespaceName("sites/1")),
    ]
    for caller in [Caller.of(1000), .of(2, 2000), .of(3, unit: "gate.service"), .of(4)] {
      for method in ["status", "presentation.open", "key.sign", "namespace.list", "seal"] {
        let grant = policy.grant(of: method, to: caller)
        for target in targets {
          let explanation = policy.explain(method, target, by: caller)
          #expect(explanation.reason == grant.denial(of: target))
          #expect(policy.denial(of: method, target, by: caller) == grant.denial(of: target))
          #expect(explanation.isAllowed == (grant.allowing(target).first { _ in true } != nil))
        }
      }
    }
  }
}
