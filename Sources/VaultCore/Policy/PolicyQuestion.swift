package import AccessPolicy
package import WireCoding

/// A call that somebody might make, by the names of whoever does.
package struct PolicyQuestion: Sendable {
  /// The method.
  package var method: String
  /// What the call is about; `nil` when the policy does not decide about the method.
  package var target: PolicyTarget?
  /// The socket it comes in by.
  package var endpoint: Endpoint
  /// The name or number of the user.
  package var user: String
  /// The names or numbers of the caller's groups, the effective one first; those of the user's
  /// account when `nil`.
  package var groups: [String]?
  /// The unit of the caller's process.
  package var unit: String?

  /// Asks about a call.
  package init(
    method: String, target: PolicyTarget?, by endpoint: Endpoint, user: String, groups: [String]?,
    unit: String?
  ) {
    self.method = method
    self.target = target
    self.endpoint = endpoint
    self.user = user
    self.groups = groups
    self.unit = unit
  }
}

/// What the policy says of a call.
package struct PolicyAnswer: Sendable {
  /// The revision of the policy.
  package let revision: Int64
  /// The method.
  package let method: String
  /// The namespace it is about.
  package let namespace: NamespaceName?
  /// Who calls.
  package let caller: Caller
  /// The socket it comes in by.
  package let endpoint: Endpoint
  /// The decision, rule by rule; `nil` when the policy does not decide about the method.
  package let explanation: Explanation?
  /// The audit line, when one was asked about.
  package let record: CallRecord?
}
