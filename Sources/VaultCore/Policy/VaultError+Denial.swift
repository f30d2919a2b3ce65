package import AccessPolicy

extension VaultError {
  /// The answer to a call that is not allowed.
  ///
  /// It says the same whatever the call is about, and so nothing of what the vault holds.
  package static func forbidden(_ reason: DenialReason) -> VaultError {
    let words =
      switch reason {
      case .noRule:
        "no rule of the policy is for this caller: ask an admin for the right"
      case .method:
        "the policy does not grant this caller the method: ask an admin for the right"
      case .namespace:
        "the policy grants this caller the method, but not for this: ask an admin for the right"
      case .adminSocket:
        "this method is served on the admin socket only"
      case .withdrawn:
        "the right to this was taken away before the answer was out: ask an admin for it"
      }
    return VaultError(.forbidden, words)
  }

  /// The answer to everybody while the policy does not open or cannot be read.
  package static let policyDamaged = VaultError(
    .damaged, "the policy is damaged, so that nobody may do anything: restore a backup")
}
