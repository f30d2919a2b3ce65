/// The sealed policy; one row.
package struct PolicyRow: Hashable, Sendable {
  /// Counts the changes of the policy, from 1.
  package var revision: Int64
  /// The nonce of the box, 24 octets.
  package var nonce: [UInt8]
  /// The policy, sealed.
  package var box: [UInt8]

  /// Makes a row.
  package init(revision: Int64, nonce: [UInt8], box: [UInt8]) {
    self.revision = revision
    self.nonce = nonce
    self.box = box
  }
}

extension SQLiteConnection {
  /// Reads the policy, `nil` when it is missing.
  package func policyRow() throws(StoreError) -> PolicyRow? {
    try with("SELECT revision, nonce, box FROM policy WHERE id = 1", .policy) {
      row throws(StoreError) in
      guard try row.step() else { return nil }
      return PolicyRow(
        revision: try row.integer(0), nonce: try row.blob(1, count: 24), box: try row.blob(2))
    }
  }

  /// Writes the policy, replacing the one there.
  package func put(_ policy: PolicyRow) throws(StoreError) {
    try run(
      """
      INSERT INTO policy (id, revision, nonce, box) VALUES (1, ?1, ?2, ?3)
      ON CONFLICT (id) DO UPDATE SET revision = ?1, nonce = ?2, box = ?3
      """, .policy
    ) { row throws(StoreError) in
      try row.bind(1, policy.revision)
      try row.bind(2, policy.nonce)
      try row.bind(3, policy.box)
    }
  }
}
