import VaultCore

/// Writes metrics in the text format 0.0.4 of Prometheus.
enum MetricsText {
  /// Writes every metric of a table.
  ///
  /// A metric whose numbers the system does not tell is left out.
  static func text(_ snapshot: MetricsSnapshot, of metrics: [Metric] = Metric.all) -> String {
    var text = ""
    text.reserveCapacity(32 << 10)
    for metric in metrics { append(metric, metric.read(snapshot), to: &text) }
    return text
  }

  private static func append(_ metric: Metric, _ reading: MetricReading, to text: inout String) {
    let series = series(of: metric.labels)
    switch reading {
    case .numbers(let numbers):
      guard !numbers.isEmpty else { return }
      begin(metric, &text)
      for (labels, number) in zip(series, numbers) {
        line(metric.name, labels, number, &text)
      }
    case .durations(let histograms):
      begin(metric, &text)
      for (labels, histogram) in zip(series, histograms) {
        append(metric.name, labels, histogram, &text) { .seconds(nanoseconds: $0) }
      }
    case .sizes(let histograms):
      begin(metric, &text)
      for (labels, histogram) in zip(series, histograms) {
        append(metric.name, labels, histogram, &text) { .count($0) }
      }
    }
  }

  private static func begin(_ metric: Metric, _ text: inout String) {
    text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
  }

  private static func append(
    _ name: String, _ labels: [String], _ histogram: Histogram.Reading, _ text: inout String,
    _ number: (UInt64) -> MetricNumber
  ) {
    var total: UInt64 = 0
    for (index, count) in histogram.counts.enumerated() {
      total &+= count
      let isLast = index == histogram.bounds.count
      let bound = isLast ? "+Inf" : number(histogram.bounds[index]).text
      line("\(name)_bucket", labels + [#"le="\#(bound)""#], .count(total), &text)
    }
    line("\(name)_sum", labels, number(histogram.sum), &text)
    line("\(name)_count", labels, .count(total), &text)
  }

  private static func line(
    _ name: String, _ labels: [String], _ number: MetricNumber, _ text: inout String
  ) {
    text += name
    if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
    text += " \(number.text)\n"
  }

  /// Every combination of the words of some labels, the last label's changing fastest.
  private static func series(of labels: [MetricLabel]) -> [[String]] {
    labels.reduce([[]]) { series, label in
      series.flatMap { before in
        label.words.map { before + [#"\#(label.name)="\#($0)""#] }
      }
    }
  }
}
