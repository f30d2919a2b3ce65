public import WireCoding

/// The answer to `policy.set`.
public struct PolicySetResult: VaultResult, Hashable {
  /// The revision that is in force now: of the policy that was set or, on a dry run, of the one that
  /// it would replace.
  public var revision: Int64
  /// Whether it may take a right away that the policy before gave.
  public var restrictive: Bool
  /// The subjects that name nobody.
  public var unresolved: [UnresolvedSubject]
  /// The audit number of the change, `nil` on a dry run.
  public var seq: Int64?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - revision: the revision that is in force now.
  ///   - restrictive: whether it may take a right away that the policy before gave.
  ///   - unresolved: the subjects that name nobody.
  ///   - seq: the audit number of the change, `nil` on a dry run.
  public init(
    revision: Int64, restrictive: Bool, unresolved: [UnresolvedSubject], seq: Int64? = nil
  ) {
    self.revision = revision
    self.restrictive = restrictive
    self.unresolved = unresolved
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revision")
    writer.integer(revision)
    writer.name("restrictive")
    writer.boolean(restrictive)
    writer.name("unresolved")
    writer.beginArray()
    for subject in unresolved { subject.encode(into: &writer) }
    writer.endArray()
    writer.optional("seq", seq)
    writer.endObject()
  }
}
