/// One measured figure, with what it is to be.
struct Figure {
  /// What a figure is to be.
  enum Target {
    case atMost(Double)
    case atLeast(Double)

    /// As people write it.
    var words: String {
      switch self {
      case .atMost(let limit): "≤ \(Decimal.text(limit))"
      case .atLeast(let limit): "≥ \(Decimal.text(limit))"
      }
    }
  }

  /// The word by which programs know it.
  let name: String
  /// What it is, in a few words.
  let title: String
  let value: Double
  /// Its unit; empty for a ratio.
  let unit: String
  /// `nil` when it only explains others.
  let target: Target?

  init(
    _ name: String, _ title: String, _ value: Double, _ unit: String = "", _ target: Target? = nil
  ) {
    self.name = name
    self.title = title
    self.value = value
    self.unit = unit
    self.target = target
  }

  /// Whether it is what it is to be; `nil` without a target.
  var isGood: Bool? {
    switch target {
    case .atMost(let limit): value <= limit
    case .atLeast(let limit): value >= limit
    case nil: nil
    }
  }
}

/// Decimal numbers without the help of a locale.
enum Decimal {
  /// A number with about three digits that count.
  static func text(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let size = value.magnitude
    if size >= 100 { return String(Int(value.rounded())) }
    let digits = size >= 10 ? 1 : size >= 1 ? 2 : 3
    return text(value, digits: digits)
  }

  /// A number with a number of decimals.
  static func text(_ value: Double, digits: Int) -> String {
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    let scaled = (value.magnitude * factor).rounded()
    guard scaled < 1e15 else { return String(Int64(clamping: Int(exactly: value.rounded()) ?? 0)) }
    let number = Int64(scaled)
    let unit = Int64(factor)
    var rest = String(number % unit)
    rest = String(repeating: "0", count: digits - rest.count) + rest
    return (value < 0 && number > 0 ? "-" : "") + "\(number / unit)"
      + (digits > 0 ? "." + rest : "")
  }
}
