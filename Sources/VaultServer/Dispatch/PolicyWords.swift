import AccessPolicy
import VaultAPI
import VaultCore

extension PolicyExplainResult {
  /// What the policy, the socket and the configuration say of a call.
  init(_ answer: PolicyAnswer, _ admission: Admission) {
    let decision = Decision(answer, admission)
    self.init(
      revision: answer.revision, method: answer.method, namespace: answer.namespace,
      caller: ExplainedCaller(answer.caller), socket: CallSocket(answer.endpoint),
      allowed: decision.reason == nil, reason: decision.reason?.rawValue, words: decision.words,
      rules: answer.explanation?.findings.map { ExplainedRule($0) } ?? [],
      recorded: answer.record.map { RecordedDecision($0) })
  }
}

/// What follows from the rules, the socket and the configuration together.
private struct Decision {
  var reason: DenialReason?
  let words: String

  init(_ answer: PolicyAnswer, _ admission: Admission) {
    let method = VaultMethod(rawValue: answer.method)
    let standing = admission.standing(of: answer.caller)
    if let method, method.isAdminOnly, answer.endpoint == .client {
      reason = .adminSocket
      words = "the method is served on the admin socket only"
    } else if method == .status, standing != .unnamed {
      words = "the configuration names the caller, which is enough for status"
    } else if let explanation = answer.explanation {
      reason = explanation.reason
      words = Self.words(explanation)
    } else if method == .unseal {
      reason = standing == .administrator ? nil : .noRule
      words =
        "the configuration alone says who may unseal: root, the user of the daemon, admin-uid and"
        + " admin-gid"
    } else {
      words = "whoever may connect may call it: the policy does not decide about it"
    }
  }

  private static func words(_ explanation: Explanation) -> String {
    guard let rule = explanation.decisive else { return "no rule is for this caller" }
    let words = "the rule at line \(rule.line) \(rule.words)"
    return explanation.isAllowed ? words : "no rule allows it; \(words)"
  }
}

extension ExplainedCaller {
  fileprivate init(_ caller: Caller) {
    // All bits set means "no one" to the kernel: an account without groups.
    let groups = caller.gid == .max ? [] : [caller.gid] + caller.groups
    self.init(uid: Int64(caller.uid), groups: groups.map { Int64($0) }, unit: caller.unit)
  }
}

extension ExplainedRule {
  fileprivate init(_ finding: Explanation.Finding) {
    self.init(
      line: Int64(finding.line), rule: finding.rule,
      lacks: finding.lacks.compactMap { Lack(rawValue: $0.rawValue) }, words: finding.words)
  }
}

extension RecordedDecision {
  fileprivate init(_ record: CallRecord) {
    self.init(
      seq: record.sequence, time: record.time, code: record.code.map { RPCErrorCode($0) },
      reason: record.reason, revision: record.policy)
  }
}
