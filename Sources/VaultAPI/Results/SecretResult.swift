public import WireCoding

/// What a method returns when there are secrets among it, which the schema marks `x-secret`.
///
/// It is no ``VaultResult``, so that it cannot get into an array: its line is written in guarded
/// memory and sent from there.
public protocol SecretResult: Sendable {
  /// Writes the object.
  ///
  /// - Parameter writer: a ``SecretJSONWriter``, or what only counts the octets for one.
  func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer)
}
