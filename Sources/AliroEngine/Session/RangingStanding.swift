/// How far ranging has come in a session.
///
/// The ranging key is never made here: what the reader had made is known, and nothing of the key.
enum RangingStanding {
  /// The reader has not had the key made (tag 98).
  case keyless
  /// Set-up may begin.
  case keyed
  /// Set-up is complete: there is a session to suspend and to resume.
  case setUp

  /// Whether a message of the set-up makes sense now, whoever sends it.
  func allows(_ kind: RangingMessage.Kind) -> Bool {
    kind.continuesSession ? self == .setUp : self != .keyless
  }

  /// Follows a message that was passed on.
  mutating func follow(_ kind: RangingMessage.Kind) {
    if kind == .m4 { self = .setUp }
  }
}
