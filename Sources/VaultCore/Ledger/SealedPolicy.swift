package import SecureMemory

/// The opened policy.
package struct SealedPolicy: ~Copyable, Sendable {
  /// Counts the changes of the policy.
  package let revision: Int64
  /// The policy as it was stored.
  package let octets: SecretBytes
}
