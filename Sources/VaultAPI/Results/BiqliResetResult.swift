public import WireCoding

/// The answer to `biqli.reset`.
public struct BiqliResetResult: VaultResult, Hashable {
  /// Whether there was anything.
  public var wasThere: Bool
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - wasThere: whether there was anything.
  ///   - seq: the audit number of the call.
  public init(wasThere: Bool, seq: Int64) {
    self.wasThere = wasThere
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("reset")
    writer.boolean(wasThere)
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}
