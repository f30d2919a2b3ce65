public import WireCoding

/// The answer to `policy.get`: the policy in force.
public struct PolicyGetResult: VaultResult, Hashable {
  /// Its revision, from 1.
  public var revision: Int64
  /// Its text.
  public var policy: String
  /// The subjects that name nobody.
  public var unresolved: [UnresolvedSubject]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - revision: its revision, from 1.
  ///   - policy: its text.
  ///   - unresolved: the subjects that name nobody.
  public init(revision: Int64, policy: String, unresolved: [UnresolvedSubject]) {
    self.revision = revision
    self.policy = policy
    self.unresolved = unresolved
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revision")
    writer.integer(revision)
    writer.name("policy")
    writer.string(policy)
    writer.name("unresolved")
    writer.beginArray()
    for subject in unresolved { subject.encode(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}
