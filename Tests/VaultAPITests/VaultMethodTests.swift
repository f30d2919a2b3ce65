import Testing
import VaultAPI

@Suite struct VaultMethodTests {
  @Test func `only methods that open or add a slot, or store a pass, take a secret`() {
    let methods = VaultMethod.allCases.filter(\.takesSecret)
    #expect(methods == [.unseal, .slotAdd, .passStore])
  }

  @Test func `a client socket never serves what changes the seal, the slots or a name's rules`() {
    let methods = VaultMethod.allCases.filter(\.isAdminOnly).map(\.name)
    #expect(
      methods == [
        "unseal", "seal", "slot.list", "slot.add", "slot.remove", "namespace.configure",
        "namespace.revoke",
      ])
  }
}
