import AccessPolicy
package import FlinkeyEngine
import SecureMemory
import WireCoding

/// The renewal of tokens, a step at a time, each step one caller's.
extension CommitContext {
  /// Hands the step that is due to the caller.
  ///
  /// - Parameters:
  ///   - account: whose Tapkey token is to be renewed.
  ///   - request: how long the token must still live for nothing to be due, and for how long the caller
  ///     gets the step.
  ///   - id: what the step is called, made by chance.
  ///   - name: the namespace.
  /// - Returns: the step, `nil` when nothing is due.
  /// - Throws: ``VaultError`` `busy` with the time left while somebody has a step in hand,
  ///   `key_unusable` for a blocked user, `not_found` without credentials.
  func beginRenewal(
    _ account: FlinkeyAccount, _ request: FlinkeyRenewalRequest, lease id: [UInt8],
    in name: NamespaceName
  ) throws(VaultError) -> FlinkeyWork? {
    try flinkeyNamespace(name, account.identifier).checkFlinkeyUse()
    var (user, tenant) = try flinkeyRecords(account, in: name)
    guard user.block == nil else {
      throw VaultError(
        .keyUnusable, "the user is blocked: unblock it first", field: "user")
    }
    guard user.state(request.minimumRemaining, at: now) != .valid else { return nil }
    guard var tenant else {
      throw VaultError(
        .notFound, "there are no credentials for this environment: store them first",
        field: "environment")
    }
    let inputs = Self.inputs(user, tenant, at: now)
    try Self.checkFree(Self.lease(of: user, tenant), at: now)
    if inputs.step == .apiToken { try Self.checkFree(tenant.lease, at: now) }
    let lease = FlinkeyLease(
      id: id, step: inputs.step, uid: entry.subject.caller.uid, begun: now,
      expires: now + request.leaseSeconds,
      input: Self.input(of: inputs.step, user, tenant)?.digest ?? [])
    user.lease = lease
    try put(user, account, in: name)
    if inputs.step == .apiToken {
      tenant.lease = lease
      try put(tenant, account.environment, in: name)
    }
    entry.step = inputs.step
    return FlinkeyWork(lease: id, expires: lease.expires, inputs: inputs)
  }

  /// Takes what came of a step.
  ///
  /// - Throws: ``VaultError`` `conflict`, and nothing has changed, when the step is no more the
  ///   caller's; `invalid_params` when the token is none.
  func completeRenewal(
    _ account: FlinkeyAccount, _ outcome: FlinkeyOutcome, lease id: [UInt8], in name: NamespaceName
  ) throws(VaultError) -> FlinkeyCompletion {
    try flinkeyNamespace(name, account.identifier).checkFlinkeyUse()
    guard var user = try user(account, in: name), let lease = user.lease, lease.id == id,
      lease.uid == entry.subject.caller.uid, lease.isHeld(at: now), user.block == nil,
      var tenant = try tenant(account.environment, in: name),
      lease.step != .apiToken || tenant.lease?.id == id
    else {
      throw VaultError(
        .conflict, "the step is not this caller's, or no more: begin again", field: "lease")
    }
    entry.step = lease.step
    user.lease = nil
    if lease.step == .apiToken { tenant.lease = nil }
    let before = tenant.apiToken?.expires
    // What another token was refused for says nothing of the one that took its place, nor does the end
    // of a token of its user, nor a token that is here no more. The first step is given none.
    let needsNone = lease.step == .apiToken
    let input = Self.input(of: lease.step, user, tenant)
    let isCurrent = needsNone || input?.digest == lease.input
    let isAlive = needsNone || input?.lives(FlinkeyLimits.refusalMargin, at: now) == true
    var isStored = false
    if case .token(let secret, let seconds, let tapkeyUser) = outcome {
      try take(secret, seconds, tapkeyUser, lease, &user, &tenant)
      isStored = true
    } else if let block = outcome.block(at: lease.step),
      block == .assignmentEnded || isCurrent && isAlive
    {
      user.block(block)
      markErasure()
    }
    if isCurrent, outcome.refusesAPIToken(at: lease.step) { tenant.apiToken = nil }
    if lease.step == .apiToken || tenant.apiToken?.expires != before {
      try put(tenant, account.environment, in: name)
    }
    try put(user, account, in: name)
    return FlinkeyCompletion(
      isStored: isStored,
      standing: standing(
        user, tenant, FlinkeyRenewalRequest.standardRemaining, givesToken: false))
  }

  /// How a user stands.
  func standing(
    _ user: FlinkeyUser, _ tenant: FlinkeyTenant?, _ seconds: Int64, givesToken: Bool
  ) -> FlinkeyStanding {
    var standing = FlinkeyStanding(state: user.state(seconds, at: now))
    standing.box = user.box
    switch standing.state {
    case .blocked: standing.block = user.block
    case .valid:
      standing.token = givesToken ? user.tapkeyToken?.secret : nil
      standing.expires = user.tapkeyToken?.expires
      standing.tapkeyUser = user.tapkeyUser
    case .renewable:
      standing.step = Self.step(user, tenant, at: now)
      let own = Self.lease(of: user, tenant)
      let lease = standing.step == .apiToken ? own ?? tenant?.lease : own
      if let lease, lease.isHeld(at: now) { standing.leased = (lease.expires - now) * 1000 }
    }
    return standing
  }

  /// Keeps the token that a step has brought.
  ///
  /// It was issued at some time while the step was in hand, so its life counts from the begin of that. An
  /// IdToken that was exchanged is not kept: it would end unseen, and the next renewal gets another one.
  private func take(
    _ secret: HeldSecret, _ seconds: Int64?, _ tapkeyUser: String?, _ lease: FlinkeyLease,
    _ user: inout FlinkeyUser, _ tenant: inout FlinkeyTenant
  ) throws(VaultError) {
    let step = lease.step
    try secret.check(FlinkeyLimits.token, isToken: true, "token")
    guard step == .tapkeyToken || tapkeyUser == nil else {
      throw VaultError(
        .invalidParameters, "tapkey_user comes with the Tapkey token only", field: "tapkey_user")
    }
    if step == .idToken {
      guard seconds == nil else {
        throw VaultError(
          .invalidParameters, "an IdToken tells itself when it ends", field: "expires_in")
      }
      user.idToken = FlinkeyToken(secret: secret, expires: try expiry(ofIDToken: secret))
      return
    }
    guard let seconds, FlinkeyLimits.lifetime.contains(seconds) else {
      throw VaultError(
        .invalidParameters, "expires_in is required with this token", field: "expires_in")
    }
    let token = FlinkeyToken(secret: secret, expires: min(lease.begun, now) + seconds)
    if step == .apiToken {
      tenant.apiToken = token
    } else {
      (user.tapkeyToken, user.tapkeyUser) = (token, tapkeyUser)
      user.idToken = nil
    }
  }

  private func expiry(ofIDToken secret: HeldSecret) throws(VaultError) -> Int64 {
    let expiry: Int64
    do throws(FlinkeyError) {
      expiry = try FlinkeyIDToken.expiry(of: secret.bytes)
    } catch {
      throw VaultError(error)
    }
    guard expiry > now, FlinkeyLimits.lifetime.contains(expiry - now) else {
      throw VaultError(
        .invalidParameters, "token has ended, or ends after more than a year: see the clocks",
        field: "token")
    }
    return expiry
  }

  /// The step of a user that somebody has in hand; one that the tenant knows nothing of is void.
  private static func lease(of user: FlinkeyUser, _ tenant: FlinkeyTenant?) -> FlinkeyLease? {
    guard let lease = user.lease else { return nil }
    return lease.step == .apiToken && tenant?.lease?.id != lease.id ? nil : lease
  }

  /// The token that a step is given.
  private static func input(
    of step: FlinkeyStep, _ user: FlinkeyUser, _ tenant: FlinkeyTenant
  ) -> FlinkeyToken? {
    switch step {
    case .apiToken: nil
    case .idToken: tenant.apiToken
    case .tapkeyToken: user.idToken
    }
  }

  private static func checkFree(_ lease: FlinkeyLease?, at now: Int64) throws(VaultError) {
    guard let lease, lease.isHeld(at: now) else { return }
    throw VaultError(
      .busy, "somebody has a step of this renewal in hand: wait for its end", field: "user",
      retry: true, retryAfter: (lease.expires - now) * 1000)
  }

  private static func step(
    _ user: FlinkeyUser, _ tenant: FlinkeyTenant?, at now: Int64
  ) -> FlinkeyStep {
    if user.idToken?.lives(FlinkeyLimits.stepMargin, at: now) == true { return .tapkeyToken }
    return tenant?.apiToken?.lives(FlinkeyLimits.stepMargin, at: now) == true
      ? .idToken : .apiToken
  }

  /// What the step that is due needs, and no more.
  private static func inputs(
    _ user: FlinkeyUser, _ tenant: FlinkeyTenant, at now: Int64
  ) -> FlinkeyWork.Inputs {
    let credentials = tenant.credentials
    switch step(user, tenant, at: now) {
    case .tapkeyToken:
      if let token = user.idToken { return .tapkeyToken(idToken: token.secret) }
    case .idToken:
      if let token = tenant.apiToken {
        return .idToken(
          apiKey: credentials.apiKey, apiToken: token.secret, sdkKey: credentials.sdkKey,
          customerID: credentials.customerID)
      }
    case .apiToken: break
    }
    return .apiToken(
      apiKey: credentials.apiKey, userName: credentials.userName, password: credentials.password)
  }
}

/// What a caller of `flinkey.renew.begin` wishes.
package struct FlinkeyRenewalRequest: Hashable, Sendable {
  /// For how many seconds a Tapkey token must still live, when nobody says: renewing it a little before
  /// its end spares those who hold it a gap.
  package static let standardRemaining: Int64 = 60
  /// For how many seconds a step is a caller's, when nobody says.
  package static let standardLease: Int64 = 60

  /// For how many seconds the Tapkey token must still live for nothing to be due.
  package let minimumRemaining: Int64
  /// For how many seconds the caller gets the step.
  package let leaseSeconds: Int64

  /// Makes a request; both bounds are the caller's to keep.
  package init(minimumRemaining: Int64?, leaseSeconds: Int64?) {
    self.minimumRemaining = minimumRemaining ?? Self.standardRemaining
    self.leaseSeconds = leaseSeconds ?? Self.standardLease
  }
}

extension FlinkeyOutcome {
  /// Why the user is to be blocked, `nil` when the outcome says nothing for good: networks and services
  /// come back.
  func block(at step: FlinkeyStep) -> FlinkeyBlock? {
    switch self {
    case .assignmentEnded: .assignmentEnded
    case .status(let status) where step == .idToken && (status == 400 || status == 401):
      .idTokenRefused
    case .oauthError(let error)
    where step == .tapkeyToken && Self.definiteErrors.contains(error):
      .exchangeRefused
    case .token, .failed, .status, .oauthError: nil
    }
  }

  /// Whether the access token of the flinkey API is of no use any more.
  func refusesAPIToken(at step: FlinkeyStep) -> Bool {
    guard step == .idToken, case .status(401) = self else { return false }
    return true
  }

  /// The errors of RFC 6749, section 5.2, that are about what was to be exchanged; its other ones are
  /// about the request, and so about the renewer that made it.
  private static let definiteErrors: Set<String> = ["invalid_grant", "unauthorized_client"]
}

extension VaultError {
  /// What the engine's error means to a caller.
  package init(_ error: FlinkeyError) {
    switch error {
    case .parameter(let field, let due):
      self.init(.invalidParameters, "\(field) must be \(due)", field: field)
    case .noSecretMemory:
      self.init(
        .busy, "no locked memory is left: try again, or raise the limit", retry: true)
    }
  }
}
