import VaultCore

/// One number of a metric, exact: whole, or seconds with nine decimals.
struct MetricNumber: Hashable, Sendable {
  private let value: UInt64
  private let isNanoseconds: Bool

  /// A number of things.
  static func count(_ value: UInt64) -> MetricNumber {
    MetricNumber(value: value, isNanoseconds: false)
  }

  /// A number of things; one below zero, which no measured thing has, shows as zero.
  static func count(_ value: some BinaryInteger) -> MetricNumber {
    count(UInt64(clamping: value))
  }

  /// 1 for yes, 0 for no.
  static func flag(_ value: Bool) -> MetricNumber { count(value ? 1 : 0 as UInt64) }

  /// A duration in nanoseconds, shown in seconds.
  static func seconds(nanoseconds: UInt64) -> MetricNumber {
    MetricNumber(value: nanoseconds, isNanoseconds: true)
  }

  /// The decimal number.
  var text: String {
    guard isNanoseconds else { return String(value) }
    let whole = value / 1_000_000_000
    let rest = value % 1_000_000_000
    guard rest > 0 else { return String(whole) }
    let digits = String(rest)
    var decimals = String(repeating: "0", count: 9 - digits.count) + digits
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }
}

/// What a metric shows at some moment: a number, or a histogram, for each combination of its
/// labels' words, the words of the last label changing fastest.
enum MetricReading: Sendable {
  /// Numbers of a counter or a gauge; none when the system does not tell.
  case numbers([MetricNumber])
  /// Histograms of durations in nanoseconds.
  case durations([Histogram.Reading])
  /// Histograms of whole numbers.
  case sizes([Histogram.Reading])
}
