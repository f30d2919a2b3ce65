import Foundation
import Testing

/// Renewals through the real daemon by a renewer in Python, against services in Python.
@Suite struct FlinkeyTests {
  private func renewer(_ vault: TestVault, _ act: String) -> Program {
    vault.script("flinkey_renewer.py", [act, "--state", vault.directory.path + "/state.json"])
  }

  @Test(arguments: ["chain", "together", "faults"])
  func `tokens are renewed as the services ask for it`(act: String) throws {
    let vault = try TestVault()
    let outcome = try renewer(vault, act).run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `a token that was stored is there after kill -9`() throws {
    let vault = try TestVault()
    for _ in 0..<4 {
      let renewals = renewer(vault, "run")
      try renewals.start()
      var stored = 0
      while stored < 6, let line = renewals.readLine() {
        stored += line.hasPrefix("stored") ? 1 : 0
      }
      vault.kill()
      let ended = renewals.finish()
      #expect(ended.isGood && stored == 6, "\(ended.errors)")
      try vault.start()
      let check = try renewer(vault, "check").run()
      #expect(check.isGood, "\(check.errors)")
    }
  }
}
