import AccessPolicy
import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutPolicy(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .policyGet:
      worker.describePolicy(
        by: call.subject,
        call.answer { policy in
          PolicyGetResult(
            revision: policy.revision, policy: policy.policy.text,
            unresolved: Self.unresolved(in: policy))
        })
    case .policySet(let params): setPolicy(params, call)
    case .policyExplain(let params):
      switch params.question {
      case .call(let supposed): explain(supposed, call)
      case .line(let seq):
        let admission = admission
        worker.explainLine(
          seq, target: { VaultMethod(rawValue: $0)?.target($1) }, by: call.subject,
          call.answer { PolicyExplainResult($0, admission) })
      }
    default:
      call.fail(RPCError(.internalError))
    }
  }

  private func setPolicy(_ params: PolicySetParams, _ call: Call) {
    let methods = VaultMethod.governed.map(\.name)
    guard !params.dryRun else {
      return worker.tryPolicy(
        params.policy, among: methods, replacing: params.revision, by: call.subject,
        call.answer { Self.result(of: $0, nil) })
    }
    worker.setPolicy(
      params.policy, among: methods, replacing: params.revision, by: call.subject,
      call.answer { Self.result(of: $0.value, $0.sequence) })
  }

  private static func result(of change: PolicyChange, _ sequence: Int64?) -> PolicySetResult {
    PolicySetResult(
      revision: change.policy.revision, restrictive: change.isRestrictive,
      unresolved: unresolved(in: change.policy), seq: sequence)
  }

  private static func unresolved(in policy: PolicyInForce) -> [VaultAPI.UnresolvedSubject] {
    policy.unresolved.map {
      VaultAPI.UnresolvedSubject(line: Int64($0.line), subject: $0.subject)
    }
  }

  private func explain(_ supposed: SupposedCall, _ call: Call) {
    guard let method = VaultMethod(rawValue: supposed.method) else {
      return turnAway(
        call,
        RPCError(.invalidParams, message: "There is no such method.", field: "call.method"))
    }
    let takesNone = method.scope == .none || method.scope == .vault
    guard supposed.namespace == nil || !takesNone else {
      return turnAway(
        call,
        RPCError(
          .invalidParams, message: "This method is about no namespace.", field: "call.namespace"))
    }
    guard supposed.namespace != nil || method.scope != .namespace else {
      return turnAway(
        call,
        RPCError(
          .invalidParams, message: "This method is about a namespace; name one.",
          field: "call.namespace"))
    }
    let question = PolicyQuestion(
      method: method.name, target: method.target(supposed.namespace),
      by: Endpoint(supposed.socket), user: supposed.user, groups: supposed.groups,
      unit: supposed.unit)
    let admission = admission
    worker.explainPolicy(
      question, about: supposed.namespace, by: call.subject,
      call.answer { PolicyExplainResult($0, admission) })
  }
}

extension Endpoint {
  fileprivate init(_ socket: CallSocket) {
    self = socket == .admin ? .admin : .client
  }
}

extension CallSocket {
  /// The socket as results name it.
  init(_ endpoint: Endpoint) {
    self = endpoint == .admin ? .admin : .client
  }
}
