// Built only by `tools/fuzz`, which links libFuzzer: mutations are then guided by coverage.
#if LIBFUZZER
  import Glibc

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  @_silgen_name("LLVMFuzzerMutate")
  private func mutateOctets(_ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int) -> Int

  /// What libFuzzer calls for each mutation: it changes octets itself, and one record of a list.
  @_cdecl("LLVMFuzzerCustomMutator")
  public func mutateInput(
    _ data: UnsafeMutablePointer<UInt8>?, _ count: Int, _ limit: Int, _ seed: CUnsignedInt
  ) -> Int {
    unsafe CoverageDriver.mutate(UnsafeMutableBufferPointer(start: data, count: limit), count, seed)
  }

  enum CoverageDriver {
    /// The target, named first on the command line.
    ///
    /// libFuzzer starts itself again to merge or to reduce inputs, without that name: it is handed on
    /// in the environment.
    private static let target: FuzzTarget? = {
      if let named = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named) {
        unsafe setenv(variable, named.name, 1)
        return named
      }
      guard let name = unsafe getenv(variable) else { return nil }
      return FuzzTarget.named(unsafe String(cString: name))
    }()

    private static let variable = "VAULTFUZZ_TARGET"

    /// Hands the other arguments to libFuzzer, which ends the process.
    static func run() -> CInt {
      guard let target else { return 2 }
      // libFuzzer keeps the vector, so it is never given back.
      var names = CommandLine.arguments
      if names.dropFirst().first == target.name { names.remove(at: 1) }
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

    /// Changes an input in place.
    ///
    /// - Returns: how many octets it has then.
    fileprivate static func mutate(
      _ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: Int, _ seed: CUnsignedInt
    ) -> Int {
      var random = SplitMix64(seed: UInt64(seed))
      guard target?.isList == true, random.below(16) > 0 else {
        return unsafe mutateOctets(buffer.baseAddress, count, buffer.count)
      }
      var records = unsafe Records(UnsafeBufferPointer(rebasing: buffer[..<count]).span)
      for _ in 0...random.below(3) { records.mutate(&random, mutate) }
      let octets = records.encoded.prefix(buffer.count)
      for (index, octet) in octets.enumerated() { unsafe buffer[index] = octet }
      return octets.count
    }

    private static func mutate(_ octets: inout [UInt8]) {
      let count = octets.count
      octets += [UInt8](repeating: 0, count: 64 + count / 4)
      let filled = unsafe octets.withUnsafeMutableBufferPointer { buffer in
        unsafe mutateOctets(buffer.baseAddress, count, buffer.count)
      }
      octets.removeSubrange(filled...)
    }
  }
#endif
