import Glibc

/// What the kernel tells of another process.
struct ProcessFacts {
  let processID: pid_t

  /// Processor time that all its threads have used, in nanoseconds.
  func processorTime() throws(BenchFailure) -> Double {
    var clock = clockid_t()
    let failure = unsafe clock_getcpuclockid(processID, &clock)
    guard failure == 0 else { throw .system("clock_getcpuclockid", failure) }
    var time = timespec()
    guard unsafe clock_gettime(clock, &time) == 0 else { throw .system("clock_gettime", errno) }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Its resident memory in octets.
  func residentMemory() throws(BenchFailure) -> Double {
    let status = SystemText.file("/proc/\(processID)/status")
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let digits = line?.drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let digits, let kilobytes = Double(digits) else {
      throw BenchFailure("/proc tells nothing of the memory of process \(processID)")
    }
    return kilobytes * 1024
  }
}
