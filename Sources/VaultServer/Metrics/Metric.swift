import VaultCore

/// One metric: what it is called, what it means, and where its numbers come from.
///
/// ``all`` is the one table that the exposition and the manual go by.
package struct Metric: Sendable {
  /// What the numbers do.
  package enum Kind: String, Sendable {
    /// They only grow while the daemon runs.
    case counter
    /// They go up and down.
    case gauge
    /// They count values by size.
    case histogram
  }

  /// Its name; a unit is the last word, `_total` follows a counter's.
  package let name: String
  /// What its numbers do.
  package let kind: Kind
  /// What it means, in one line.
  package let help: String
  /// Its labels.
  package let labels: [MetricLabel]
  let read: @Sendable (MetricsSnapshot) -> MetricReading

  private init(
    _ name: StaticString, _ kind: Kind, _ labels: [MetricLabel], _ help: StaticString,
    _ read: @escaping @Sendable (MetricsSnapshot) -> MetricReading
  ) {
    self.name = name.description
    self.kind = kind
    self.help = help.description
    self.labels = labels
    self.read = read
  }

  /// A counter with one number for each combination of labels.
  static func counter(
    _ name: StaticString, _ help: StaticString, by labels: [MetricLabel] = [],
    _ read: @escaping @Sendable (MetricsSnapshot) -> [MetricNumber]
  ) -> Metric {
    Metric(name, .counter, labels, help) { .numbers(read($0)) }
  }

  /// A gauge with one number for each combination of labels.
  static func gauge(
    _ name: StaticString, _ help: StaticString, by labels: [MetricLabel] = [],
    _ read: @escaping @Sendable (MetricsSnapshot) -> [MetricNumber]
  ) -> Metric {
    Metric(name, .gauge, labels, help) { .numbers(read($0)) }
  }

  /// A histogram of durations.
  static func durations(
    _ name: StaticString, _ help: StaticString, by labels: [MetricLabel] = [],
    _ read: @escaping @Sendable (MetricsSnapshot) -> [Histogram.Reading]
  ) -> Metric {
    Metric(name, .histogram, labels, help) { .durations(read($0)) }
  }

  /// A histogram of whole numbers.
  static func sizes(
    _ name: StaticString, _ help: StaticString, by labels: [MetricLabel] = [],
    _ read: @escaping @Sendable (MetricsSnapshot) -> [Histogram.Reading]
  ) -> Metric {
    Metric(name, .histogram, labels, help) { .sizes(read($0)) }
  }

  /// Every metric, in the order of the exposition.
  package static let all: [Metric] =
    requests + connections + commits + audit + checkpoints + vault + process
}
