/// Measured values, to be told by their middle and their tail.
struct Series {
  private(set) var values: [Double] = []

  /// Adds a value.
  mutating func add(_ value: Double) { values.append(value) }

  /// The value in the middle; zero for none.
  var median: Double { quantile(0.5) }

  /// The value that a part of all do not exceed; zero for none.
  func quantile(_ part: Double) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
  }
}
