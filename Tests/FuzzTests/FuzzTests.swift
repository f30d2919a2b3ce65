import Testing

@testable import vaultfuzz

/// A short, repeatable run of every fuzz target; `tools/fuzz` runs them for longer.
@Suite struct FuzzTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `withstands its seeds and some thousand mutations of them`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = try Corpus.seeds(target.name)
    #expect(!seeds.isEmpty)
    var fuzzer = MutationFuzzer(target, seeds: seeds, seed: 1)
    fuzzer.run(2000)
  }
}
