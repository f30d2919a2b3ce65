/// Why a step of a flinkey renewal has brought no token.
public enum FlinkeyFailureReason: String, CaseIterable, Hashable, Sendable {
  /// The service could not be reached, or has sent no answer that could be read.
  case noAnswer = "no_answer"
  /// The service has answered with an HTTP status that is an error.
  case httpStatus = "http_status"
  /// The token endpoint has answered with an OAuth error.
  case oauthError = "oauth_error"
  /// The user's assignment has ended.
  case assignmentEnded = "assignment_ended"
}
