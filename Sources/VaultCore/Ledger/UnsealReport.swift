/// What unsealing found.
package struct UnsealReport: Hashable, Sendable {
  /// The slot that was opened; 0 when the keys were already there.
  package let slot: Int64
  /// Where the audit and the clock stand.
  package let state: CommitState
  /// What is damaged; what is not named here and not within it works.
  package let damage: [Damage]
}
