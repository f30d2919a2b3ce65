/// Why a call was denied; the raw value stands in the audit line.
package enum DenialReason: String, CaseIterable, Hashable, Sendable {
  /// No rule has the caller for a subject.
  case noRule = "no_rule"
  /// Rules have the caller for a subject, but none of them the method.
  case method = "method_not_granted"
  /// Rules grant the method, but not for this namespace, or not for the whole vault.
  case namespace = "namespace_not_granted"
  /// The method is served on the admin socket only.
  case adminSocket = "admin_socket_only"
  /// A right that held when the call came in was taken away before it had its number.
  case withdrawn = "right_withdrawn"
}
