import AccessPolicy
import Testing

@testable import VaultCore

/// Which lines of the log the policy can be asked about.
@Suite struct ExplainedLineTests {
  private let test: CommitTestVault

  init() throws { test = try CommitTestVault() }

  /// Writes a line, and asks about it.
  private func explain(_ method: StaticString) throws -> PolicyAnswer {
    let written = Answer<Int64>()
    var subject = CommitTestVault.subject
    subject.endpoint = .client
    test.vault.committer.submit(.note(AuditEntry(method, by: subject), finish: written.reply))
    let sequence = try written.get()
    _ = try AuditLog(test)
    return try test.ask {
      test.worker.explainLine(
        sequence, target: { _, _ in .vault }, by: CommitTestVault.subject, $0)
    }
  }

  @Test(
    arguments: [
      "calls.refused", "connection.cut", "connection.refused", "request.refused", "vault.damage",
      "erasure.complete",
    ] as [StaticString])
  func `a line that is for no call of a method has no decision`(_ method: StaticString) throws {
    #expect(code { _ = try explain(method) } == .notFound)
  }

  @Test(
    arguments: [
      ("key.sign", "key.sign"), ("audit.tail.follow", "audit.tail"),
      ("policy.set.dry_run", "policy.set"),
    ] as [(StaticString, String)])
  func `one that is for a call is judged by its method`(
    _ method: StaticString, judged: String
  ) throws {
    let answer = try explain(method)
    #expect(answer.method == judged && answer.record?.method == method.description)
  }
}
