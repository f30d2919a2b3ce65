public import WireCoding

/// The answer to `biqli.open`.
public struct BiqliOpenResult: VaultResult, Hashable {
  /// Whether there was no state, it was another installation's, or it is this one's, perhaps with
  /// another publishable key now.
  public var opening: BiqliOpening
  /// The publishable key that is stored; it is public.
  public var publishableKey: String?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - opening: whether there was no state, it was another installation's, or it is this one's,
  ///     perhaps with another publishable key now.
  ///   - publishableKey: the publishable key that is stored; it is public.
  ///   - seq: the audit number of the call.
  public init(opening: BiqliOpening, publishableKey: String? = nil, seq: Int64) {
    self.opening = opening
    self.publishableKey = publishableKey
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("opening")
    writer.string(opening.rawValue)
    writer.optional("publishable_key", publishableKey)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
