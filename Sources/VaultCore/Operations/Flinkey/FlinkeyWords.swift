/// Which of the vendor's two systems something belongs to; nothing of one is ever used with the other.
package enum FlinkeyEnvironment: String, CaseIterable, Hashable, Sendable {
  /// For acceptance tests.
  case uat
  case production
}

/// The calls of a renewal, in their order; each needs what the one before has brought.
package enum FlinkeyStep: String, CaseIterable, Hashable, Sendable {
  /// The access token of the flinkey API, for a tenant.
  case apiToken = "api_token"
  /// The IdToken of a user, from the flinkey API.
  case idToken = "id_token"
  /// The Tapkey access token of a user, in exchange for the IdToken.
  case tapkeyToken = "tapkey_token"

  /// What a record has for it.
  var code: UInt8 {
    switch self {
    case .apiToken: 1
    case .idToken: 2
    case .tapkeyToken: 3
    }
  }

  /// The step that a record has this for.
  init?(code: UInt8) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}

/// Why a user is blocked; only `unblock` ends it.
package enum FlinkeyBlock: String, CaseIterable, Hashable, Sendable {
  /// `block` was called.
  case ordered
  /// The flinkey API has refused an IdToken for good.
  case idTokenRefused = "id_token_refused"
  /// Tapkey has refused the exchange for good.
  case exchangeRefused = "exchange_refused"
  /// The user's assignment has ended.
  case assignmentEnded = "assignment_ended"

  /// What a record has for it.
  var code: UInt8 {
    switch self {
    case .ordered: 1
    case .idTokenRefused: 2
    case .exchangeRefused: 3
    case .assignmentEnded: 4
    }
  }

  /// The reason that a record has this for.
  init?(code: UInt8) {
    guard let found = Self.allCases.first(where: { $0.code == code }) else { return nil }
    self = found
  }
}

/// How a user stands.
package enum FlinkeyState: String, CaseIterable, Hashable, Sendable {
  /// There is a Tapkey token that lives long enough.
  case valid
  /// There is none, and one may be got.
  case renewable
  /// There is none, and none may be got.
  case blocked
}

/// The numbers that bound flinkey records.
package enum FlinkeyLimits {
  /// The octets of a token of any kind.
  package static let token = 1...8192
  /// The octets of an API key.
  package static let apiKey = 1...512
  /// The octets of a user name of the API Manager.
  package static let userName = 1...256
  /// The octets of its password.
  package static let password = 1...1024
  /// The octets of an SDK key.
  package static let sdkKey = 1...1024
  /// The customer and user IDs there may be.
  package static let identifiers: ClosedRange<Int64> = 1...(1 << 53)
  /// The seconds that a token may live.
  package static let lifetime: ClosedRange<Int64> = 1...31_536_000
  /// The octets of a Tapkey user ID.
  package static let tapkeyUser = 1...64
  /// The most users of a namespace, those of both environments together; who is only blocked may come
  /// on top.
  package static let users = 256
  /// The same when one more is to be blocked.
  package static let blockedUsers = 1024
  /// For how many seconds a step is one caller's.
  package static let lease: ClosedRange<Int64> = 10...300
  /// For how many seconds a token that a later step needs must still live when that step begins.
  package static let stepMargin: Int64 = 10
  /// For how many seconds a token must still live for its refusal to be about more than its end.
  package static let refusalMargin: Int64 = 30
}
