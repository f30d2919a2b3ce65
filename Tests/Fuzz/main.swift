import Foundation

// vaultfuzz TARGET|all [RUNS [SEED]]: deterministic mutations of the seeds in Corpus/TARGET.
// Built by `tools/fuzz`, it is: vaultfuzz TARGET [libFuzzer options] CORPUS…

#if LIBFUZZER
  exit(CoverageDriver.run())
#else
  let arguments = CommandLine.arguments.dropFirst()
  let name = arguments.first ?? "all"
  let runs = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
  let seed = arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1
  let targets = FuzzTarget.all.filter { name == "all" || $0.name == name }
  guard !targets.isEmpty else {
    print("no such target; there are: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    exit(2)
  }
  for target in targets {
    let start = ContinuousClock.now
    let seeds = try Corpus.seeds(target.name)
    var fuzzer = MutationFuzzer(target, seeds: seeds, seed: seed)
    fuzzer.run(runs)
    print("\(target.name): \(seeds.count) seeds, \(runs) mutations, \(ContinuousClock.now - start)")
  }
#endif
