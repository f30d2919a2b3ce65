package import AccessPolicy

/// What became of a policy that was to be put in force or, on a dry run, what would.
package struct PolicyChange: Sendable {
  /// The policy; on a dry run with the revision of the one in force.
  package let policy: PolicyInForce
  /// Whether it may take a right away that the policy before gave.
  package let isRestrictive: Bool
}
