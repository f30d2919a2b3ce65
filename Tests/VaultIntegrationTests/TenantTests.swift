import Foundation
import Testing

/// Callers of one vault that may not know of each other.
@Suite struct TenantTests {
  @Test(.enabled(if: geteuid() == 0, "needs two more users"))
  func `what a tenant may not do looks the same whatever the other tenant has`() throws {
    let vault = try TestVault()
    let outcome = try vault.script("tenants.py").run()
    #expect(outcome.isGood, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(" 0 problems"))
  }

  @Test func `a vault that tells more is noticed, at whichever method`() throws {
    let outcome = try Program(interop: "test_tenants.py").run()
    #expect(outcome.isGood, "\(outcome.errors)")
  }
}
