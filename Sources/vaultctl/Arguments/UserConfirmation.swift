/// Whether gateways may assert that a user has confirmed an action.
enum UserConfirmation: String, CaseIterable, Sendable {
  case allow, refuse

  /// Makes the choice of what a namespace has.
  init(isAllowed: Bool) {
    self = isAllowed ? .allow : .refuse
  }

  /// What has become of it.
  var participle: String {
    switch self {
    case .allow: "allowed"
    case .refuse: "refused"
    }
  }
}
