import Glibc

/// One run of everything that was asked for.
final class Bench {
  let options: BenchOptions
  let programs: Programs
  /// Where a sync costs what it costs.
  let durable: WorkDirectory
  /// Where it is free.
  let memory: WorkDirectory
  let raw: RawMeasure
  var report: Report

  init(_ options: BenchOptions) throws(BenchFailure) {
    self.options = options
    programs = try Programs(in: options.binaries)
    durable = try WorkDirectory(below: options.directory)
    memory = try WorkDirectory(below: options.memory)
    guard memory.isInMemory else { throw BenchFailure("\(options.memory) is not in memory") }
    raw = try RawMeasure(programs, errors: "\(memory.path)/raw")
    report = Report(
      isQuick: options.isQuick, cores: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      namespaces: options.namespaces)
  }

  /// Measures.
  func run() throws(BenchFailure) -> Report {
    if durable.isInMemory {
      StandardStream.note(
        "vaultbench: \(options.directory) is in memory, so nothing is durable: see --directory")
    }
    for section in options.sections {
      StandardStream.note("measuring \(section.rawValue) ...")
      try Interruption.check()
      switch section {
      case .signing: try measureSigning()
      case .idle: try measureIdle()
      case .presentation: try measurePresentations()
      case .scale: try measureScale()
      case .flood: try measureFlood()
      }
    }
    return report
  }

  /// A number for a real run, another for a quick one.
  func count(_ usual: Int, quick: Int) -> Int { options.isQuick ? quick : usual }

  /// A vault with one signing key, served.
  func makeVault(
    _ name: String, in directory: WorkDirectory, _ key: String
  ) throws(BenchFailure) -> BenchVault {
    let vault = try BenchVault(name, in: directory, programs)
    try vault.start()
    try LoadConnection(vault.clientSocket).ask(.makeKey(key))
    return vault
  }
}
