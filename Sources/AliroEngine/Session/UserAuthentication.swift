/// What becomes of a reader's demand that the user be authenticated (AUTH0 policy 03, section 15.4).
public enum UserAuthentication: Hashable, Sendable {
  /// The demand is refused: nobody has vouched for the user.
  case refused
  /// The caller has asserted that the user was authenticated, and may assert it: for one transaction,
  /// the first that demands it. Over NFC the ones after that are refused, like all where it is not.
  case confirmed
}
