import AccessPolicy
import Foundation
import Testing

@Suite struct PolicyPresetTests {
  @Test func `a preset is a word without a dot, and no method's name`() {
    for preset in PolicyPreset.allCases {
      #expect(!preset.rawValue.contains("."))
      #expect(!PolicyParserTests.methods.contains(preset.rawValue))
    }
    #expect(
      PolicyPreset.allCases.map(\.rawValue) == [
        "gateway", "console", "admin", "backup", "auditor", "monitor", "renewer",
      ])
  }

  @Test func `only the admin preset changes who may do what, and how the vault is opened`() {
    let powers = [
      "seal", "slot.add", "slot.remove", "clock.accept", "clock.set_floor", "policy.set",
      "namespace.revoke", "audit.archive",
    ]
    for preset in PolicyPreset.allCases where preset != .admin {
      let pattern = MethodPattern.preset(preset)
      #expect(powers.allSatisfy { !pattern.matches($0) }, "\(preset)")
      #expect(pattern.matches("status"), "\(preset)")
      #expect(!pattern.matches("key.sign"), "\(preset)")
    }
    #expect(powers.allSatisfy { MethodPattern.preset(.admin).matches($0) })
  }

  @Test func `a group is the methods behind its dot`() {
    let group = MethodPattern.group("audit")
    for method in ["audit.tail", "audit.x", "audit.a.b"] { #expect(group.matches(method)) }
    for method in ["audit", "audit.", "auditor", "audits.tail", "x.audit.tail", ""] {
      #expect(!group.matches(method), "\(method)")
    }
    #expect(MethodPattern.method("audit.tail").matches("audit.tail"))
    #expect(!MethodPattern.method("audit.tail").matches("audit.tail2"))
    #expect(MethodPattern.all.matches("anything"))
  }

  @Test func `methods that hand secrets out are had by name only`() throws {
    let methods = ["flinkey.renew.begin", "flinkey.renew.complete"]
    let named: [MethodPattern] = [
      .preset(.renewer), .group("flinkey.renew"), .method("flinkey.renew.begin"),
    ]
    for pattern in named { #expect(pattern.matches(methods[0]), "\(pattern)") }
    let others = [MethodPattern.all, .group("flinkey"), .method("flinkey.renew")]
    let presets = PolicyPreset.allCases.filter { $0 != .renewer }.map { MethodPattern.preset($0) }
    for pattern in others + presets {
      #expect(methods.allSatisfy { !pattern.matches($0) }, "\(pattern)")
    }
    #expect(MethodPattern.group("flinkey").matches("flinkey.token"))
    #expect(MethodPattern.all.matches("flinkey.renewal"))
  }

  @Test(arguments: PolicyPreset.allCases)
  func `each pattern of a preset means methods that there are`(preset: PolicyPreset) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let schema = try JSONSerialization.jsonObject(
      with: try Data(contentsOf: root.appending(path: "Schema/vault.openrpc.json")))
    let methods = try #require((schema as? [String: Any])?["methods"] as? [[String: Any]])
    let names = methods.compactMap { $0["name"] as? String }
    for pattern in preset.patterns {
      #expect(names.contains { pattern.matches($0) }, "\(pattern)")
    }
    // No method has the name of a preset.
    #expect(!names.contains(preset.rawValue))
  }
}
