/// An input that is a list of steps rather than one text: `kind 1 ‖ count 2 ‖ octets` each.
///
/// Every input is such a list: a count that says more than there is takes what there is.
struct Records {
  struct Record: Hashable {
    var kind: UInt8
    var octets: [UInt8]
  }

  var list: [Record] = []

  init(_ list: [Record]) {
    self.list = list
  }

  init(_ input: Span<UInt8>) {
    var offset = 0
    while input.count - offset >= 3 {
      let count = Int(input[offset + 1]) << 8 | Int(input[offset + 2])
      let end = min(offset + 3 + count, input.count)
      list.append(Record(kind: input[offset], octets: copy(input.extracting(offset + 3..<end))))
      offset = end
    }
  }

  /// The records as an input.
  var encoded: [UInt8] {
    list.reduce(into: []) { octets, record in
      let count = UInt16(clamping: record.octets.count)
      octets += [record.kind, UInt8(count >> 8), UInt8(count & 0xFF)]
      octets += record.octets.prefix(Int(count))
    }
  }

  /// Changes the list in one place, mostly within a record, so that the records behind it stay what
  /// they were.
  ///
  /// - Parameters:
  ///   - random: where chance comes from.
  ///   - change: changes the octets of one record.
  mutating func mutate(_ random: inout SplitMix64, _ change: (inout [UInt8]) -> Void) {
    let place = random.below(list.count)
    guard !list.isEmpty else {
      return list.append(Record(kind: UInt8(random.below(32)), octets: []))
    }
    switch random.below(8) {
    case 0: list.remove(at: place)
    case 1: list.insert(list[place], at: random.below(list.count + 1))
    case 2: list.swapAt(place, random.below(list.count))
    case 3: list[place].kind = UInt8(random.below(32))
    case 4: list.insert(Record(kind: UInt8(random.below(32)), octets: []), at: place)
    default: change(&list[place].octets)
    }
  }
}
