import AccessPolicy
import VaultAPI
import VaultCore

/// Decides which calls of one connection go on.
///
/// What the policy grants the caller is kept method by method until another is put in force: a call
/// then costs one comparison and a look at the patterns of the rules that bear on it.
struct CallRights {
  /// What becomes of a call.
  enum Verdict {
    /// It goes on, allowed by this revision of the policy, or by no policy.
    case allowed(policy: Int64?)
    /// It is refused.
    case denied(Denial)
  }

  /// Why a call is refused.
  struct Denial {
    let error: VaultError
    var reason: DenialReason?
    /// The revision of the policy that it was judged by.
    var policy: Int64?
    /// How it counts in the audit log.
    var kind = DenialKind.forbidden
  }

  private let connection: ConnectionInfo
  private let authority: Authority
  private let rates: RateTable
  private var installation: UInt64?
  private var revision: Int64?
  private var grants: [VaultMethod: MethodGrant] = [:]

  init(_ connection: ConnectionInfo, _ authority: Authority, _ rates: RateTable) {
    self.connection = connection
    self.authority = authority
    self.rates = rates
  }

  /// Judges a call before anything is looked up for it.
  mutating func judge(_ request: VaultRequest) -> Verdict {
    let method = request.method
    guard connection.endpoint == .admin || !method.isAdminOnly else {
      return .denied(Denial(error: .forbidden(.adminSocket), reason: .adminSocket))
    }
    guard let target = request.target else { return judgeWithoutPolicy(method) }
    if method == .status, connection.standing != .unnamed { return .allowed(policy: nil) }
    do throws(VaultError) {
      let grant = try grant(of: method)
      return judge(request, target, by: grant)
    } catch {
      if error.code == .sealed, isOpenWhileSealed(method) { return .allowed(policy: nil) }
      return .denied(Denial(error: error, kind: error.code == .sealed ? .sealed : .forbidden))
    }
  }

  /// `hello` and `health` are for everybody who may connect; who may unseal is said by the
  /// configuration alone, as the policy is sealed with the vault.
  private func judgeWithoutPolicy(_ method: VaultMethod) -> Verdict {
    guard method != .unseal || connection.standing == .administrator else {
      return .denied(Denial(error: .forbidden(.noRule), reason: .noRule))
    }
    return .allowed(policy: nil)
  }

  /// Whether the caller may see with this method how a sealed vault fares.
  ///
  /// That it is sealed, whoever may connect has a right to. Counts of what others have called are for
  /// those alone who may unseal: nobody's right to them can be looked up, and most have none.
  private func isOpenWhileSealed(_ method: VaultMethod) -> Bool {
    method == .status || method == .vaultMetrics && connection.standing == .administrator
  }

  private func judge(
    _ request: VaultRequest, _ target: PolicyTarget, by grant: MethodGrant
  ) -> Verdict {
    if let reason = grant.denial(of: target) {
      return .denied(Denial(error: .forbidden(reason), reason: reason, policy: revision))
    }
    let wait = rates.take(
      grant.allowing(target), of: revision ?? 0, user: connection.caller.uid,
      namespace: request.namespace)
    guard let wait else { return .allowed(policy: revision) }
    return .denied(Denial(error: .rateLimited(wait), policy: revision, kind: .rateLimited))
  }

  /// What the policy in force grants the caller.
  ///
  /// - Throws: `sealed`, or `damaged` when there is no policy to go by.
  private mutating func grant(of method: VaultMethod) throws(VaultError) -> MethodGrant {
    // Read before the policy: one that is put in force in between is looked at anew with the next call.
    let installation = authority.installation
    if installation == self.installation, let known = grants[method] { return known }
    switch authority.state {
    case .sealed: throw .sealed
    case .damaged: throw .policyDamaged
    case .inForce(let policy):
      if installation != self.installation {
        grants = [:]
        self.installation = installation
        revision = policy.revision
      }
      let grant = policy.grant(of: method.name, to: connection.caller)
      grants[method] = grant
      return grant
    }
  }
}

extension VaultError {
  /// The answer to a call beyond the rate of every rule that allows it.
  ///
  /// - Parameter wait: after how many nanoseconds one of them has a call left.
  /// - Returns: the error.
  fileprivate static func rateLimited(_ wait: UInt64) -> VaultError {
    VaultError(
      .rateLimited, "this is more than the policy allows at a time: wait and send it again",
      retry: true, retryAfter: Int64(clamping: wait / 1_000_000 + 1))
  }
}
