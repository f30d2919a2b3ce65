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

  @Test func `never waits for whoever should read the log`() throws {
    let script = """
      import fcntl, os, signal, subprocess, sys
      signal.alarm(20)
      r, w = os.pipe()
      fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK)
      try:
        while True: os.write(w, b"x")
      except BlockingIOError: pass
      fcntl.fcntl(w, fcntl.F_SETFL, 0)
      # It says that the options are wrong, which nobody hears, and ends.
      print(subprocess.run([sys.argv[1], "--nonsense"], stderr=w, timeout=10).returncode)
      """
    let result = try Script(script, [Script.built("vaultd")]).run()
    #expect(result.output == "64\n", "\(result.errors)")
  }

  @Test(.enabled(if: geteuid() == 0)) func `refuses root unless told`() throws {
    #expect(throws: HardeningError.runsAsRoot) {
      try ProcessHardening.refuseRoot(unless: false)
    }
    try ProcessHardening.refuseRoot(unless: true)
  }
}
