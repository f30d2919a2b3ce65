// Built only by `tools/fuzz`, which links libFuzzer: mutations are then guided by coverage.
#if LIBFUZZER
  import Glibc

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  enum CoverageDriver {
    /// The target named first on the command line.
    private static let target: FuzzTarget? = CommandLine.arguments.dropFirst().first.flatMap {
      name in
      FuzzTarget.all.first { $0.name == name }
    }

    /// Hands the other arguments to libFuzzer, which ends the process.
    static func run() -> CInt {
      guard target != nil else { return 2 }
      // libFuzzer keeps the vector, so it is never given back.
      var names = CommandLine.arguments
      names.remove(at: 1)
      let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
        capacity: names.count + 1)
      for (index, name) in names.enumerated() { unsafe vector[index] = strdup(name) }
      unsafe vector[names.count] = nil
      var count = CInt(names.count)
      var pointer = unsafe vector
      return unsafe runDriver(&count, &pointer) { start, count in
        let buffer = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        unsafe CoverageDriver.target?.run(buffer.span)
        return 0
      }
    }
  }
#endif
