import Glibc

/// What the kernel tells of this process.
struct ProcessReading: Sendable {
  /// Memory that is locked against swapping.
  let lockedOctets: UInt64?
  /// Memory that is resident.
  let residentOctets: UInt64?
  /// Open descriptors.
  let openDescriptors: Int?
  /// How many may be open.
  let descriptorLimit: UInt64?
  /// Processor time, user and system.
  let processorNanoseconds: UInt64

  /// Asks the kernel.
  init() {
    let status = Self.read("/proc/self/status")
    lockedOctets = Self.octets("VmLck:", in: status)
    residentOctets = Self.octets("VmRSS:", in: status)
    openDescriptors = Self.countDescriptors()
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    descriptorLimit = isKnown ? UInt64(limit.rlim_cur) : nil
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    processorNanoseconds = Self.nanoseconds(usage.ru_utime) &+ Self.nanoseconds(usage.ru_stime)
  }

  private static func nanoseconds(_ time: timeval) -> UInt64 {
    UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_usec) &* 1_000
  }

  /// A line such as `VmLck:      132 kB`.
  private static func octets(_ name: String, in status: String) -> UInt64? {
    for line in status.split(separator: "\n") where line.hasPrefix(name) {
      let digits = line.dropFirst(name.count).drop { !$0.isNumber }.prefix { $0.isNumber }
      return UInt64(digits).map { $0 &* 1024 }
    }
    return nil
  }

  private static func read(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var octets = [UInt8](repeating: 0, count: 8192)
    let count = unsafe Glibc.read(file, &octets, octets.count)
    return String(decoding: octets.prefix(max(count, 0)), as: UTF8.self)
  }

  private static func countDescriptors() -> Int? {
    guard let directory = unsafe opendir("/proc/self/fd") else { return nil }
    defer { unsafe closedir(directory) }
    var count = 0
    while unsafe readdir(directory) != nil { count += 1 }
    // Without the two entries of the directory itself, and the descriptor that reads it.
    return max(count - 3, 0)
  }
}
