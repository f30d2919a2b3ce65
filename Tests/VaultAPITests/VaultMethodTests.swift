import Testing
import VaultAPI

@Suite struct VaultMethodTests {
  @Test func `only methods that are given a secret take one`() {
    let methods = VaultMethod.allCases.filter(\.takesSecret)
    #expect(
      methods == [
        .unseal, .slotAdd, .passStore, .nokeStore, .biqliCapture, .biqliComplete, .flinkeyStore,
        .flinkeyRenewComplete,
      ])
  }

  @Test func `a client socket never serves what changes the seal, the slots or the rules`() {
    let methods = VaultMethod.allCases.filter(\.isAdminOnly).map(\.name)
    #expect(
      methods == [
        "unseal", "seal", "slot.list", "slot.add", "slot.remove", "clock.accept",
        "clock.set_floor", "policy.get", "policy.set", "policy.explain", "audit.archive",
        "namespace.configure", "namespace.suspend",
        "namespace.resume", "namespace.revoke",
      ])
  }

  @Test func `a method that names a namespace is judged by it`() {
    for method in VaultMethod.allCases {
      // One is enough where the alternative is a name too.
      let namesOne =
        method == .namespaceRevoke
        || method.parameters.contains { $0.name == "namespace" && $0.isRequired }
      #expect(namesOne == (method.scope == .namespace), "\(method.name)")
    }
    #expect(VaultMethod.allCases.filter { $0.scope == .none } == [.hello, .health, .unseal])
  }
}
