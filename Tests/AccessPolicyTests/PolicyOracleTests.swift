import EngineTestSupport
import Foundation
import Testing
import WireCoding

@testable import AccessPolicy

/// Policies, callers and questions made at random, put to an evaluator that shares no code with this
/// one (`Tests/Interop/policy_oracle.py`).
@Suite struct PolicyOracleTests {
  /// What the evaluator says of one policy.
  struct Verdict: Decodable {
    struct Answer: Decodable, Equatable {
      let admitted: Bool
      let reason: String?
      let rules: [Int]
      let lacks: [[String]]
      let names: [String]
    }
    let fault: Int?
    let unresolved: [String]?
    let administrator: Bool?
    let answers: [Answer]?
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `decides as an independent evaluator does`(seed: UInt64) throws {
    var generator = PolicyGenerator(seed: seed)
    let cases = (0..<150).map { _ in generator.makeCase() }
    let verdicts = try oracle(cases)
    try #require(verdicts.count == cases.count)
    var faults = 0
    var allowed = 0
    var denied = 0
    for (one, verdict) in zip(cases, verdicts) {
      let read: Policy
      do throws(PolicyFault) {
        read = try Policy(one.text, methods: PolicyGenerator.methods)
      } catch {
        #expect(error.line == verdict.fault, "\(error.description) in:\n\(one.text)")
        faults += 1
        continue
      }
      #expect(verdict.fault == nil, "taken:\n\(one.text)")
      guard let expected = verdict.answers else { continue }
      let policy = PolicyInForce(read, revision: 1, accounts: Accounts())
      #expect(policy.hasAdministrator == verdict.administrator)
      #expect(policy.unresolved.map { "\($0.line) \($0.subject)" } == verdict.unresolved)
      for (question, answer) in zip(one.questions, expected) {
        let mine = try Self.answer(of: policy, to: question)
        #expect(mine == answer, "\(question) of:\n\(one.text)")
        if answer.reason == nil { allowed += 1 } else { denied += 1 }
      }
    }
    // The cases are worth something.
    #expect(faults > 20 && faults < 110)
    #expect(allowed > 50 && denied > 50)
  }

  private static func answer(
    of policy: PolicyInForce, to question: PolicyGenerator.Question
  ) throws -> Verdict.Answer {
    let caller = Caller(
      uid: question.uid, gid: question.gid, groups: question.groups, pid: 1, unit: question.unit)
    let target: PolicyTarget
    switch question.kind {
    case "vault": target = .vault
    case "filtered": target = .filtered
    case "subtree": target = .subtree(try NamespaceName(question.name))
    default: target = .namespace(try NamespaceName(question.name))
    }
    let grant = policy.grant(of: question.method, to: caller)
    let explanation = policy.explain(question.method, target, by: caller)
    #expect(explanation.reason == grant.denial(of: target))
    #expect(policy.denial(of: question.method, target, by: caller) == grant.denial(of: target))
    let patterns = grant.namespacePatterns
    return Verdict.Answer(
      admitted: policy.admits(caller), reason: grant.denial(of: target)?.rawValue,
      rules: grant.allowing(target).map(\.index),
      lacks: explanation.findings.map { $0.lacks.map(\.rawValue) },
      names: try PolicyGenerator.namespaces.filter { text in
        let name = try NamespaceName(text)
        let isListed = patterns.contains { $0.matches(name) }
        #expect(isListed == (grant.denial(of: .namespace(name)) == nil))
        return isListed
      })
  }

  private struct Task: Encodable {
    let methods = PolicyGenerator.methods
    let users = Accounts().users
    let groups = Accounts().groups
    let namespaces = PolicyGenerator.namespaces
    let cases: [PolicyGenerator.Case]
  }

  private func oracle(_ cases: [PolicyGenerator.Case]) throws -> [Verdict] {
    try PythonOracle("policy_oracle").ask(Task(cases: cases))
  }
}
