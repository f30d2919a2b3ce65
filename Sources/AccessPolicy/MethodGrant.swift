/// What the rules that apply to one caller and one method allow.
package struct MethodGrant: Hashable, Sendable {
  /// Whether a call is allowed, rates aside.
  ///
  /// - Returns: `nil` when it is.
  package func denial(of target: PolicyTarget) -> DenialReason? { nil }
}
