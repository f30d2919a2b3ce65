public import WireCoding

/// The answer to `noke.info`: one lock, or which there are.
public struct NokeInfoResult: VaultResult, Hashable {
  /// The addresses of all locks of the namespace, ascending.
  public var locks: [String]?
  /// The lock that was named.
  public var lock: NokeLockEntry?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - locks: the addresses of all locks of the namespace, ascending.
  ///   - lock: the lock that was named.
  public init(locks: [String]? = nil, lock: NokeLockEntry? = nil) {
    self.locks = locks
    self.lock = lock
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    if let locks {
      writer.name("locks")
      writer.strings(locks)
    }
    if let lock {
      writer.name("lock")
      lock.encode(into: &writer)
    }
    writer.endObject()
  }
}
