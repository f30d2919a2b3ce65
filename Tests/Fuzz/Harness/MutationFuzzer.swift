/// Runs a target on mutations of its seeds, the same ones for the same seed number.
struct MutationFuzzer {
  private let target: FuzzTarget
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private var random: SplitMix64

  init(_ target: FuzzTarget, seeds: [[UInt8]], seed: UInt64) {
    self.target = target
    self.seeds = seeds.isEmpty ? [[]] : seeds
    words = target.words.map { Array($0.utf8) }
    random = SplitMix64(seed: seed)
  }

  /// Runs the seeds themselves, then mutations.
  mutating func run(_ count: Int) {
    for seed in seeds { target.run(seed.span) }
    for _ in 0..<count {
      var input = seeds[random.below(seeds.count)]
      for _ in 0...random.below(6) { change(&input) }
      target.run(input.span)
    }
  }

  private mutating func change(_ input: inout [UInt8]) {
    // Now and then the octets of a list are changed as if they were none.
    guard target.isList, random.below(8) > 0 else { return mutate(&input) }
    var records = Records(input.span)
    var chance = SplitMix64(seed: random.next())
    records.mutate(&chance) { mutate(&$0) }
    input = records.encoded
  }

  private mutating func mutate(_ input: inout [UInt8]) {
    let at = random.below(input.count + 1)
    switch random.below(9) {
    case 0 where at < input.count: input[at] ^= 1 << UInt8(random.below(8))
    case 1 where at < input.count: input[at] = UInt8(random.below(256))
    case 2: input.insert(UInt8(random.below(256)), at: at)
    case 3 where at < input.count: input.remove(at: at)
    case 4: input.removeSubrange(at...)
    case 5 where at < input.count:
      let end = at + 1 + random.below(input.count - at)
      if input.count + end - at <= 4096 { input.insert(contentsOf: input[at..<end], at: at) }
    case 6 where at < input.count:
      input.removeSubrange(at..<at + 1 + random.below(min(16, input.count - at)))
    case 7 where !words.isEmpty: input.insert(contentsOf: words[random.below(words.count)], at: at)
    case 8:
      // The beginning of one seed and the end of another.
      let other = seeds[random.below(seeds.count)]
      input.replaceSubrange(at..., with: other[random.below(other.count + 1)...])
    default: input.append(UInt8(ascii: "a") + UInt8(random.below(26)))
    }
  }
}
