package import FlinkeyEngine

/// Whom a flinkey call is about.
package struct FlinkeyAccount: Hashable, Sendable {
  package let environment: FlinkeyEnvironment
  /// The flinkey user ID.
  package let user: Int64

  /// Names an account.
  package init(_ user: Int64, in environment: FlinkeyEnvironment) {
    self.environment = environment
    self.user = user
  }

  /// The identifier of its record.
  var identifier: String { FlinkeyUser.identifier(user, environment) }
}

/// What `flinkey.store` keeps.
package enum FlinkeyStoring: Sendable {
  /// Credentials in the place of earlier ones; with `dropsTokens` the tokens of all users go too.
  case credentials(FlinkeyCredentials, dropsTokens: Bool)
  /// The box that a user opens.
  case box(FlinkeyBoxID, user: Int64)
}

/// How `flinkey.store` went.
package struct FlinkeyStored: Hashable, Sendable {
  /// Whether something else gave way.
  package let replaced: Bool
  /// How many users had a token that went.
  package let dropped: Int64
}

/// What `flinkey.token` and a completed step tell of a user.
package struct FlinkeyStanding: Sendable {
  package let state: FlinkeyState
  /// The Tapkey token, for ``FlinkeyState/valid``.
  package var token: HeldSecret?
  /// Its end, Unix seconds.
  package var expires: Int64?
  /// Whom it is for, in Tapkey's words.
  package var tapkeyUser: String?
  /// The step that is due, for ``FlinkeyState/renewable``.
  package var step: FlinkeyStep?
  /// For how many milliseconds somebody has a step in hand.
  package var leased: Int64?
  /// Why the user is blocked.
  package var block: FlinkeyBlock?
  /// The box that the user opens.
  package var box: FlinkeyBoxID?
}

/// A step handed to a caller.
package struct FlinkeyWork: Sendable {
  /// What the caller needs, and no more.
  package enum Inputs: Sendable {
    case apiToken(apiKey: HeldSecret, userName: HeldSecret, password: HeldSecret)
    case idToken(
      apiKey: HeldSecret, apiToken: HeldSecret, sdkKey: HeldSecret, customerID: Int64)
    case tapkeyToken(idToken: HeldSecret)

    /// The step that they are for.
    package var step: FlinkeyStep {
      switch self {
      case .apiToken: .apiToken
      case .idToken: .idToken
      case .tapkeyToken: .tapkeyToken
      }
    }
  }

  /// Names the step when it is completed, 16 octets.
  package let lease: [UInt8]
  /// The second from which on it is somebody else's, Unix seconds.
  package let expires: Int64
  package let inputs: Inputs
}

/// What came of a step.
package enum FlinkeyOutcome: Sendable {
  /// A token; for how many seconds it lives, which an IdToken tells itself; whom it is for, in Tapkey's
  /// words.
  case token(HeldSecret, seconds: Int64?, tapkeyUser: String?)
  /// No answer, or one that says nothing for good.
  case failed
  /// The service has answered with this HTTP status.
  case status(Int64)
  /// The token endpoint has answered with this OAuth error (RFC 6749, section 5.2).
  case oauthError(String)
  /// The user's assignment has ended.
  case assignmentEnded
}

/// What a completed step has led to.
package struct FlinkeyCompletion: Sendable {
  /// Whether a token was stored.
  package let isStored: Bool
  /// How the user stands now; its token is left out.
  package let standing: FlinkeyStanding
}
