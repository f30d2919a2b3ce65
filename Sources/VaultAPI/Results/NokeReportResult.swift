public import WireCoding

/// The answer to `noke.report`.
public struct NokeReportResult: VaultResult, Hashable {
  /// What the lock said, as a word.
  public var result: String
  /// In which state it says that it is.
  public var lockState: String?
  /// Whether it goes to sleep as it was left alone.
  public var timeout: Bool?
  /// The number of the pair that had made the packet.
  public var generation: Int64
  /// Whether that pair became the active one by this report.
  public var promoted: Bool
  /// Whether the lock has refused that pair, and not answered success to it since.
  public var stale: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - result: what the lock said, as a word.
  ///   - lockState: in which state it says that it is.
  ///   - timeout: whether it goes to sleep as it was left alone.
  ///   - generation: the number of the pair that had made the packet.
  ///   - promoted: whether that pair became the active one by this report.
  ///   - stale: whether the lock has refused that pair, and not answered success to it since.
  ///   - seq: the audit number of the call.
  public init(
    result: String, lockState: String? = nil, timeout: Bool? = nil, generation: Int64,
    promoted: Bool, stale: Bool, seq: Int64
  ) {
    self.result = result
    self.lockState = lockState
    self.timeout = timeout
    self.generation = generation
    self.promoted = promoted
    self.stale = stale
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("result")
    writer.string(result)
    writer.optional("lock_state", lockState)
    if let timeout {
      writer.name("timeout")
      writer.boolean(timeout)
    }
    writer.name("generation")
    writer.integer(generation)
    writer.name("promoted")
    writer.boolean(promoted)
    writer.name("stale")
    writer.boolean(stale)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
