import AccessPolicy

/// The namespaces that callers of one I/O thread may see, kept for as long as the policy stays.
struct CallerReach {
  /// The most callers and methods that are remembered.
  private static let bound = 256

  private struct Key: Hashable {
    let caller: Caller
    let method: String
  }

  private var installation: UInt64?
  private var known: [Key: NamespaceReach] = [:]

  /// The namespaces for which the policy in force grants a method to a caller.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - subject: who calls; all namespaces are within reach of one whom no policy binds.
  ///   - authority: the policy in force; none is within reach without one.
  /// - Returns: the namespaces.
  mutating func reach(
    of method: StaticString, by subject: AuditEntry.Subject, _ authority: Authority
  ) -> NamespaceReach {
    guard subject.policy != nil else { return .everything }
    let key = Key(caller: subject.caller, method: method.description)
    // Read before the policy: one that is put in force in between is looked at anew with the next call.
    let installation = authority.installation
    if installation == self.installation, let found = known[key] { return found }
    guard let policy = authority.policy else { return .nothing }
    if installation != self.installation || known.count >= Self.bound { known = [:] }
    self.installation = installation
    let reach = NamespaceReach(
      policy.grant(of: method.description, to: subject.caller).namespacePatterns)
    known[key] = reach
    return reach
  }
}
