import VaultCore

/// What all metrics are read from, taken once for each exposition.
struct MetricsSnapshot: Sendable {
  /// Answers.
  let requests: RequestMeter.Reading
  /// What the I/O threads have done.
  let server: ServerStatistics
  /// Connections that were not served, or not any more, by reason.
  let endings: [UInt64]
  /// The vault.
  let vault: VaultReading
  /// When the daemon started, Unix seconds.
  let started: Int64
  /// The process.
  let process: ProcessReading
  /// Room on the file systems, by what they hold; none when nobody knows.
  let freeOctets: [UInt64]
}
