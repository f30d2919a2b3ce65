/// What can be wrong with what the engine is given.
///
/// No case carries octets of the input: links and tokens identify people.
package enum BiqliError: Error, Hashable, Sendable {
  /// A parameter, named as on the wire, is not what is due, in words such as
  /// `biq_mapp_ and 26 characters`.
  case parameter(String, due: String)
  /// A parameter, named as on the wire, does not go with what the record holds.
  case conflict(String)
  /// The stored form of a record is damaged.
  case damaged
  /// No locked memory is left for a secret.
  case memoryExhausted
}
