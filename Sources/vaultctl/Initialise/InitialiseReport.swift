import Glibc
import VaultAPI
import WireCoding

/// What to tell whoever has made a vault: what to keep safe, and how to go on.
enum InitialiseReport {
  static func output(_ vault: NewVault, _ plan: InitialisePlan) -> CommandOutput {
    var notes: [String] = []
    if geteuid() == 0 {
      notes.append(
        "note: \(plan.data) belongs to root; vaultd runs as a user of its own, who must own it")
    }
    let identifier = Hex.encode(vault.vaultID.span)
    let lines =
      ["the vault is made: \(plan.data)", "  id \(identifier)", "", "Keep safe:"]
      + secrets(plan)
      + [
        "Without one of these nobody can open the vault, and what is in it is lost.", "",
        "First admin: \(plan.admin.description)", "",
      ] + goingOn(plan)
    return CommandOutput(json: json(vault, plan, identifier), blocks: [.text(lines)], notes: notes)
  }

  private static func secrets(_ plan: InitialisePlan) -> [String] {
    var lines =
      switch plan.source {
      case .keyFile(let path):
        [
          "  - the key file \(path)",
          "    Whoever has it and the directory has every key of the vault.",
        ]
      default:
        [
          "  - the passphrase",
          "    Whoever knows it and has the directory has every key of the vault.",
        ]
      }
    if let recovery = plan.recovery {
      lines += [
        "  - the recovery key \(recovery)",
        "    It opens the vault when the other secret is lost, or in the wrong hands. Move it to",
        "    another place now, such as a safe, and leave no copy on this machine.",
      ]
    } else {
      lines += ["  There is no recovery key: `vaultctl slot add` makes another way in."]
    }
    return lines
  }

  private static func goingOn(_ plan: InitialisePlan) -> [String] {
    let secret =
      switch plan.source {
      case .keyFile(let path): "vaultctl unseal --key-file \(ShellWord.quote(path))"
      default: "vaultctl unseal"
      }
    return [
      "Go on with:", "  $ vaultd --data \(ShellWord.quote(plan.data))", "  $ \(secret)",
      "  $ vaultctl status",
    ]
  }

  private static func json(
    _ vault: NewVault, _ plan: InitialisePlan, _ identifier: String
  ) -> JSONValue {
    let slots = vault.slots.map { slot in
      JSONValue.object([
        JSONMember(name: "slot", value: .integer(slot.number)),
        JSONMember(name: "kind", value: .string(slot.kind.rawValue)),
        JSONMember(name: "label", value: .string(slot.label)),
      ])
    }
    return .object([
      JSONMember(name: "data", value: .string(plan.data)),
      JSONMember(name: "vault_id", value: .string(identifier)),
      JSONMember(name: "admin", value: .string(plan.admin.policyText)),
      JSONMember(name: "slots", value: .array(slots)),
      JSONMember(name: "key_files", value: .array(plan.keyFiles.map { .string($0) })),
    ])
  }
}
