import Foundation
import Testing

/// The independent reader's runs and faults, through the socket.
@Suite struct PresentationTests {
  @Test func `an independent reader opens the door in every variant`() throws {
    let vault = try TestVault()
    for variant in ["direct", "loadcert", "auth1cert"] {
      for identification in ["key", "slot"] {
        for intent in ["unsecure", "secure"] {
          let options = [
            "--variant", variant, "--identification", identification, "--intent", intent,
          ]
          let outcome = try vault.script("unlock.py", options).run()
          #expect(outcome.isGood, "\(options): \(outcome.errors)\(outcome.output)")
          #expect(outcome.output.hasSuffix("\naccess granted\n"), "\(options)")
        }
      }
    }
    // One key served them all.
    let key = try vault.connect().call("key.public", ["namespace": "demo/front-door"])
    #expect(key.flag("created") == false)
    #expect(key.integer("version") == 1)
  }

  @Test(arguments: [
    ["--transport", "nfc", "--fast", "--mailbox", "--step-up"],
    ["--mailbox", "--step-up"],
    ["--approach", "--fast", "--mailbox"],
  ])
  func `an independent reader walks every part of the protocol`(options: [String]) throws {
    let vault = try TestVault()
    let outcome = try vault.script("unlock.py", options).run()
    #expect(outcome.isGood, "\(outcome.errors)\(outcome.output)")
    #expect(outcome.output.hasSuffix("\naccess granted\n"))
  }

  @Test(arguments: ["runs", "endings", "services", "sign"])
  func `the independent oracle agrees with the vault`(part: String) throws {
    let vault = try TestVault()
    let outcome = try vault.script("test_presentation_\(part).py").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `every fault of a reader is refused where and how it must be`() throws {
    let vault = try TestVault()
    let outcome = try vault.script("test_presentation_faults.py").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `the reference gateway opens a door, and so does the one in the README`() throws {
    let vault = try TestVault()
    for suite in ["test_ble_relay_command.py", "test_readme_gateway.py"] {
      let program = Program(interop: suite)
      program.set("LATCHKEY_CLIENT_SOCKET", vault.path(.client))
      let outcome = try program.run()
      #expect(outcome.isGood, "\(suite): \(outcome.errors)")
    }
  }

  @Test func `a sealed vault opens no door`() throws {
    let vault = try TestVault()
    #expect(try vault.control("seal").isGood)
    let outcome = try vault.script("unlock.py").run()
    #expect(outcome.status == 1)
    #expect(!outcome.output.contains("access granted"))
  }
}
