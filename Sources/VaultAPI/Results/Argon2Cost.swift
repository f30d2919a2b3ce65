public import WireCoding

/// What one try at a passphrase costs.
public struct Argon2Cost: VaultResult, Hashable {
  /// The passes over the memory.
  public var operations: Int64
  /// The memory in KiB.
  public var memoryKib: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - operations: the passes over the memory.
  ///   - memoryKib: the memory in KiB.
  public init(operations: Int64, memoryKib: Int64) {
    self.operations = operations
    self.memoryKib = memoryKib
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("operations")
    writer.integer(operations)
    writer.name("memory_kib")
    writer.integer(memoryKib)
    writer.endObject()
  }
}
