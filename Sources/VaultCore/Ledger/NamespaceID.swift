/// The identifier of a namespace: 16 random octets, never reused.
package struct NamespaceID: Hashable, Sendable {
  /// The octets.
  package let bytes: [UInt8]

  /// Takes octets that are known to be 16.
  init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Takes octets, if they are 16.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }
}
