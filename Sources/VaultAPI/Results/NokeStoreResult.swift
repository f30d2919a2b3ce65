public import WireCoding

/// The answer to `noke.store`.
public struct NokeStoreResult: VaultResult, Hashable {
  /// The lock's address, pairs of upper-case digits with colons.
  public var mac: String
  /// The pair's number among those of the lock, from 1.
  public var generation: Int64
  /// Whether it is active or pending.
  public var state: NokePairState
  /// Whether it is new; a pair that is active or pending already is not.
  public var stored: Bool
  /// What tells the pair apart, 32 hexadecimal digits.
  public var fingerprint: String
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - mac: the lock's address, pairs of upper-case digits with colons.
  ///   - generation: the pair's number among those of the lock, from 1.
  ///   - state: whether it is active or pending.
  ///   - stored: whether it is new; a pair that is active or pending already is not.
  ///   - fingerprint: what tells the pair apart, 32 hexadecimal digits.
  ///   - seq: the audit number of the call.
  public init(
    mac: String, generation: Int64, state: NokePairState, stored: Bool, fingerprint: String,
    seq: Int64
  ) {
    self.mac = mac
    self.generation = generation
    self.state = state
    self.stored = stored
    self.fingerprint = fingerprint
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("mac")
    writer.string(mac)
    writer.name("generation")
    writer.integer(generation)
    writer.name("state")
    writer.string(state.rawValue)
    writer.name("stored")
    writer.boolean(stored)
    writer.name("fingerprint")
    writer.string(fingerprint)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
