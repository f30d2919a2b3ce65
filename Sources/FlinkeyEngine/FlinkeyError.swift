/// What can be wrong with what the engine is given.
package enum FlinkeyError: Error, Hashable, Sendable {
  /// A parameter, named as on the wire, is not what is due, in words such as
  /// `four pairs of digits such as C1-08-F0-94`.
  case parameter(String, due: String)
  /// No locked memory was left to look into a secret; the same may succeed later.
  case noSecretMemory
}
