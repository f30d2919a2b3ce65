public import WireCoding

/// The answer to `vault.metrics`.
public struct VaultMetricsResult: VaultResult, Hashable {
  /// The metrics, in the text format 0.0.4 of Prometheus.
  public var text: String

  /// Makes the result.
  ///
  /// - Parameter text: the metrics, in the text format 0.0.4 of Prometheus.
  public init(text: String) {
    self.text = text
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("text")
    writer.string(text)
    writer.endObject()
  }
}
