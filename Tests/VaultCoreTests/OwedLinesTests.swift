import DiskFaults
import Glibc
import Testing
import VaultStore
import WireCoding

@testable import VaultCore

/// Calls whose answers do not wait for their lines, while no line can be written.
@Suite struct OwedLinesTests {
  private let recorder = DiskRecorder()
  private let test: CommitTestVault

  init() throws {
    let directory = try LedgerTestVault(recorder: recorder)
    test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.publicKey("a")
  }

  private func fill() {
    recorder.fail(.init(after: 0, code: ENOSPC) { $0.needsSpace })
  }

  private func count(_ method: String, _ code: String? = nil, in test: CommitTestVault) throws
    -> Int
  {
    // The calls' user has more lines on their way than are taken at once; the log's reader has few.
    let answer = Answer<Int64>()
    test.vault.committer.submit(
      .note(AuditEntry("test.wait", by: CommitTestVault.subject), finish: answer.reply))
    _ = try answer.get()
    return try AuditLog(test).lines.count { $0.method == method && $0.code == code }
  }

  @Test func `each has its line as soon as there is room`() throws {
    fill()
    for _ in 0..<20 {
      try test.describe("a")
      #expect(code { try test.describe("b") } == .notFound)
    }
    #expect(code { try test.publicKey("c") } == .storageFull)
    test.vault.recordOwedLines()
    #expect(code { try test.publicKey("c") } == .storageFull)
    // Handed back by the committer before its next answer.
    #expect(test.vault.reading.owedLines == 40)
    recorder.fail(nil)
    test.vault.recordOwedLines()
    #expect(try count("namespace.get", in: test) == 20)
    #expect(try count("namespace.get", "not_found", in: test) == 20)
    #expect(test.vault.owed.take().isEmpty)
    #expect(try test.restarted().damage == [])
  }

  @Test func `so has each look at the log itself`() throws {
    fill()
    for _ in 0..<5 {
      try test.tail(AuditQuery(limit: 1))
      try test.export()
    }
    #expect(code { try test.publicKey("c") } == .storageFull)
    recorder.fail(nil)
    test.vault.recordOwedLines()
    #expect(try count("audit.tail", in: test) == 5)
    #expect(try count("audit.export", in: test) == 5)
  }

  @Test func `what is owed is written before the vault closes`() throws {
    fill()
    for _ in 0..<5 { try test.describe("a") }
    var entry = AuditEntry("key.sign", by: CommitTestVault.subject)
    entry.code = .forbidden
    for _ in 0..<5 { test.vault.recordDenial(entry, .forbidden) }
    #expect(code { try test.publicKey("c") } == .storageFull)
    recorder.fail(nil)
    let again = try test.restarted()
    #expect(try count("namespace.get", in: again) == 5)
    let counted = try AuditLog(again).lines.filter { $0.method == "calls.refused" }
    #expect(counted.count == 1)
    #expect(
      counted.first.map { String(decoding: $0.text, as: UTF8.self) }?
        .contains(#""count":5,"forbidden":5,"#) == true)
  }

  @Test func `when too much is owed, calls are refused`() throws {
    fill()
    for _ in 0..<OwedLines.bound { try test.describe("a") }
    #expect(code { try test.describe("a") } == .auditUnavailable)
    #expect(code { try test.describe("b") } == .auditUnavailable)
    recorder.fail(nil)
    test.vault.recordOwedLines()
    try test.describe("a")
    #expect(try count("namespace.get", in: test) == OwedLines.bound + 1)
    #expect(try count("namespace.get", "not_found", in: test) == 0)
  }

  /// Makes more calls than lines may be on their way while the committer stands still.
  ///
  /// - Returns: those that were answered at once, and the others.
  private func crowd(_ last: () -> Void = {}) throws
    -> (
      answered: ArraySlice<Answer<NamespaceDescription>>,
      held: ArraySlice<Answer<NamespaceDescription>>
    )
  {
    let name = try NamespaceName("a")
    let answers = (0..<OwedLines.bound + 20).map { _ in Answer<NamespaceDescription>() }
    HeldCall([]).holdCommitter(test.vault) {
      for answer in answers {
        test.worker.describeNamespace(name, by: CommitTestVault.subject, answer.reply)
      }
      #expect(answers.prefix(OwedLines.bound).allSatisfy { $0.count == 1 })
      #expect(answers.dropFirst(OwedLines.bound).allSatisfy { $0.count == 0 })
      // What is only counted goes on being counted.
      var entry = AuditEntry("key.sign", by: CommitTestVault.subject)
      entry.code = .forbidden
      for _ in 0..<5 { test.vault.recordDenial(entry, .forbidden) }
      last()
    }
    return (answers.prefix(OwedLines.bound), answers.dropFirst(OwedLines.bound))
  }

  @Test func `while lines are held up, answers wait for theirs`() throws {
    let (answered, held) = try crowd()
    for answer in held { _ = try answer.get() }
    #expect(try count("namespace.get", in: test) == answered.count + held.count)
    test.clock.advance(boot: 2)
    test.vault.recordOwedLines()
    let counted = try AuditLog(test).lines.filter { $0.method == "calls.refused" }
    #expect(counted.count == 1)
    #expect(
      counted.first.map { String(decoding: $0.text, as: UTF8.self) }?
        .contains(#""count":5,"forbidden":5,"#) == true)
    for _ in 0..<OwedLines.bound { try test.describe("a") }
  }

  @Test
  func `when lines that were held up cannot be written, no call was answered without its own`()
    throws
  {
    let (answered, held) = try crowd { fill() }
    for answer in held { try refused(answer, .auditUnavailable) }
    #expect(test.vault.reading.owedLines == answered.count)
    recorder.fail(nil)
    test.vault.recordOwedLines()
    #expect(try count("namespace.get", in: test) == answered.count)
    #expect(test.vault.reading.owedLines == 0)
    #expect(try test.restarted().damage == [])
  }
}
