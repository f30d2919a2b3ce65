public import WireCoding

/// The answer to `biqli.window`.
public struct BiqliWindowResult: VaultResult, Hashable {
  /// Whether it is.
  public var isOpen: Bool
  /// When the window closes; absent when it has.
  public var until: Timestamp?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - isOpen: whether it is.
  ///   - until: when the window closes; absent when it has.
  ///   - seq: the audit number of the call.
  public init(isOpen: Bool, until: Timestamp? = nil, seq: Int64) {
    self.isOpen = isOpen
    self.until = until
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("open")
    writer.boolean(isOpen)
    if let until {
      writer.name("until")
      writer.timestamp(until)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
