import Foundation
import Glibc
import ProcessHardening
import Testing

@Suite struct HardeningTests {
  @Test func `says how much locked memory is needed and how to get it`() {
    let error = HardeningError.lockedMemory(needed: 2_500_000, limit: 65_536)
    #expect(
      error.description
        == "2500000 bytes of memory must be locked, but the limit is 65536;"
        + " set LimitMEMLOCK=2442K in the service unit, or run ulimit -l 2442 before")
  }

  @Test(.enabled(if: geteuid() == 0)) func `refuses root unless told`() throws {
    #expect(throws: HardeningError.runsAsRoot) {
      try ProcessHardening.refuseRoot(unless: false)
    }
    try ProcessHardening.refuseRoot(unless: true)
  }
}
