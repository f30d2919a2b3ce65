import AccessPolicy
import DiskFaults
import Foundation
import Glibc
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// What the vault tells of its own log, compared with what the files say.
@Suite struct AuditReadTests {
  /// A vault with several segments, and lines of all sorts.
  private static func vault(audit: RecordedAudit? = nil, _ directory: LedgerTestVault? = nil)
    throws -> CommitTestVault
  {
    let test = try CommitTestVault(directory, audit: audit, settings: AuditRotationTests.small)
    for name in ["demo/a", "demo/b", "demo/b/c", "home", "demolition"] {
      try test.publicKey(name)
      for _ in 0..<4 { try test.sign(name) }
    }
    #expect(code { try test.sign("demo/nowhere") } == .notFound)
    try test.revoke("home")
    #expect(code { try test.sign("home") } == .revoked)
    return test
  }

  private static func sequence(_ text: [UInt8]) -> Int64? { LogItem.Line(text.span)?.sequence }

  /// A query with some of its members set.
  private func query(_ limit: Int, _ change: (inout AuditQuery) throws -> Void) rethrows
    -> AuditQuery
  {
    var query = AuditQuery(limit: limit)
    try change(&query)
    return query
  }

  @Test func `all lines come, page by page, in either direction, as they stand in the files`()
    throws
  {
    let test = try Self.vault()
    let written = try AuditLog(test).lines
    #expect(try AuditRotationTests.segments(test.directory).count > 3)
    let texts = written.map(\.text)
    for limit in [1, 7, 1000] {
      var forward: [[UInt8]] = []
      var after: Int64? = 0
      while let position = after {
        let page = try test.tail(
          query(limit) {
            $0.after = position
            $0.before = Int64(texts.count + 1)
          })
        #expect(page.lines.count <= limit && page.missing.isEmpty)
        forward += page.lines
        after = page.next
      }
      #expect(forward == texts)

      var backward: [[UInt8]] = []
      var before: Int64? = Int64(texts.count + 1)
      while let position = before {
        let page = try test.tail(query(limit) { $0.before = position })
        #expect(page.lines.count <= limit && page.missing.isEmpty)
        backward = page.lines + backward
        before = page.next
      }
      #expect(backward == texts)
    }
    for line in written {
      var reader = try test.vault.logReader()
      #expect(try reader.line(line.sequence) == line.text)
    }
    var reader = try test.vault.logReader()
    #expect(try reader.line(0) == nil && reader.line(1 << 53) == nil && reader.missing.isEmpty)
  }

  @Test func `the last lines are those of the end`() throws {
    let test = try Self.vault()
    let written = try AuditLog(test).lines
    let page = try test.tail(AuditQuery(limit: 3))
    #expect(page.last >= Int64(written.count))
    #expect(page.lines.count == 3 && page.next == page.last - 2)
    let again = try test.tail(query(1000) { $0.after = page.last - 3 })
    #expect(again.lines.starts(with: page.lines))
  }

  @Test func `lines that no segment has yet come from the outbox`() throws {
    let directory = try LedgerTestVault()
    let recorder = DiskRecorder()
    let test = try Self.vault(audit: RecordedAudit(directory, recorder), directory)
    let before = try AuditLog(test).lines
    recorder.fail(.init(after: 0, code: ENOSPC) { $0.isOfSegment })
    for _ in 0..<5 { try test.sign("demo/a") }
    let page = try test.tail(query(1000) { $0.after = before.last?.sequence ?? 0 })
    #expect(page.lines.count >= 5 && page.missing.isEmpty)
    let whole = try test.tail(query(1000) { $0.after = 0 })
    #expect(whole.lines.count == Int(whole.last))
    recorder.fail(nil)
    try test.sign("demo/a")
    let written = try AuditLog(test).lines.map(\.text)
    #expect(written.starts(with: whole.lines))
  }

  @Test func `who asks for what is not there has the log read a few times only`() throws {
    let directory = try LedgerTestVault()
    let audit = RecordedAudit(directory, DiskRecorder())
    let test = try CommitTestVault(directory, audit: audit)
    for _ in 0..<24 * AuditSearch.window {
      test.vault.committer.submit(.note(AuditEntry("test", by: .daemon)))
    }
    _ = try AuditLog(test)
    let listed = audit.listings.count
    let page = try test.tail(query(10) { $0.uid = 7 })
    #expect(page.lines.isEmpty && page.next == nil && page.last > 24 * AuditSearch.window)
    // Once for the first line; then 1, 2, 4, 8 and 16 windows. The committer looks now and then too.
    #expect((6...16).contains(audit.listings.count - listed))
  }

  @Test func `only what is asked for comes`() throws {
    let test = try Self.vault()
    let written = try AuditLog(test).lines
    func found(_ change: (inout AuditQuery) throws -> Void) throws -> [Int64] {
      try test.tail(
        query(1000) {
          $0.before = Int64(written.count + 1)
          try change(&$0)
        }
      ).lines.map { try #require(Self.sequence($0)) }
    }
    func numbers(_ filter: (AuditLog.Line) -> Bool) -> [Int64] {
      written.filter(filter).map(\.sequence)
    }
    #expect(try found { $0.method = "key.sign" } == numbers { $0.method == "key.sign" })
    #expect(try found { $0.method = "key.*" } == numbers { $0.method.hasPrefix("key.") })
    #expect(try found { $0.method = "key" } == [])
    let below = numbers { $0.namespace == "demo/b" || $0.namespace == "demo/b/c" }
    #expect(try found { $0.namespace = try NamespaceName("demo/b") } == below)
    #expect(try found { $0.code = .revoked } == numbers { $0.code == "revoked" })
    #expect(try found { $0.uid = 1000 }.count > 20)
    #expect(try found { $0.uid = 7 } == [])
    let time = test.clock.wallSeconds()
    #expect(try found { $0.since = time } == numbers { _ in true })
    #expect(try found { $0.until = time } == [])
    #expect(try found { $0.since = time + 1 } == [])
  }

  @Test func `a caller sees the lines of the namespaces that it may ask about`() throws {
    let test = try Self.vault()
    try test.govern([("audit.tail", "demo/**")])
    var isAll = false
    func seen(_ subject: AuditEntry.Subject) throws -> Set<String?> {
      let page = try test.tail(query(1000) { $0.after = 0 }, by: subject)
      for line in page.lines {
        let members = try JSONValue(line.span).members?.map(\.name) ?? []
        #expect(members.first == "seq" && members.contains("outcome"))
        // The digest of a line that is hidden would confirm a guess at it.
        #expect(members.contains("prev") == (subject == CommitTestVault.subject || isAll))
      }
      return Set(page.lines.map { CallRecord($0.span)?.namespace?.rawValue })
    }
    #expect(try seen(test.gate) == ["demo/a", "demo/b", "demo/b/c", "demo/nowhere"])
    #expect(try seen(CommitTestVault.subject).isSuperset(of: [nil, "home", "demolition"]))
    let hidden = try test.tail(
      query(1000) { $0.namespace = try NamespaceName("home") }, by: test.gate)
    #expect(hidden.lines.isEmpty)
    try test.govern([("audit.tail", "demo/b")])
    #expect(try seen(test.gate) == ["demo/b"])
    try test.govern([("audit.tail", "**")])
    isAll = true
    #expect(try seen(test.gate).contains(nil))
    try test.govern([("status", "**")])
    #expect(try seen(test.gate) == [])
  }

  @Test func `who follows the log does not make it grow`() throws {
    let test = try Self.vault()
    // Lines that nobody waits for come first.
    _ = try AuditLog(test)
    let position = try test.tail(AuditQuery(limit: 1)).last
    // That query has left a line, which its own process is not told of.
    for _ in 0..<3 {
      let page = try test.tail(
        query(10) {
          $0.after = position
          $0.isFollowing = true
        })
      #expect(page.lines.isEmpty)
    }
    let before = try AuditLog(test).lines
    #expect(before.count { $0.method == "audit.tail" } == 1)
    try test.sign("demo/a")
    var subject = CommitTestVault.subject
    subject.endpoint = .admin
    let page = try test.tail(
      query(10) {
        $0.after = before.last?.sequence ?? 0
        $0.method = "key.sign"
        $0.isFollowing = true
      }, by: subject)
    #expect(page.lines.count == 1)
    let after = try AuditLog(test).lines
    #expect(after.count { $0.method == "audit.tail" } == 1)
    let own = after.filter { $0.method == "audit.tail.follow" }
    #expect(own.count == 1)
    // It was `audit.tail` that the policy was asked about.
    let judged = try test.ask {
      test.worker.explainLine(
        own[0].sequence, target: { _, _ in .vault }, by: CommitTestVault.subject, $0)
    }
    #expect(judged.method == "audit.tail" && judged.record?.method == "audit.tail.follow")
  }

  @Test func `those who follow the log together do not make it grow either`() throws {
    let test = try Self.vault()
    _ = try AuditLog(test)
    var places = [Int64](repeating: test.vault.committer.status.sequence, count: 3)
    /// Each asks once, as a process of its own, for what the users do; how many lines they are shown.
    func follow() throws -> Int {
      var count = 0
      for index in places.indices {
        var subject = CommitTestVault.subject
        subject.caller = Caller(uid: 1000, gid: 1000, groups: [], pid: Int32(100 + index))
        let page = try test.tail(
          query(100) {
            $0.after = places[index]
            $0.uid = 1000
            $0.isFollowing = true
          }, by: subject)
        places[index] = max(page.last, places[index])
        count += page.lines.count
      }
      // What they have left is in the log before they ask again.
      _ = try AuditLog(test)
      return count
    }
    try test.sign("demo/a")
    // Each is shown the call, and then what the two others have read.
    #expect(try follow() + follow() == 3 + 3 * 2)
    for _ in 0..<3 { #expect(try follow() == 0) }
    #expect(try AuditLog(test).lines.count { $0.method == "audit.tail.follow" } == 3)
  }

  @Test func `lines that somebody has changed are told as missing`() throws {
    let test = try Self.vault()
    let written = try AuditLog(test).lines
    let name = try AuditRotationTests.segments(test.directory)[1]
    let path = test.directory.path + "/audit/" + name
    var text = Array(try Data(contentsOf: URL(filePath: path)))
    let place = try #require(text.firstIndex(of: UInt8(ascii: ",")))
    text[place + 20] ^= 1
    try Data(text).write(to: URL(filePath: path))
    let sequence = try #require(Int64(name.prefix(10)))
    let page = try test.tail(query(1000) { $0.after = 0 })
    #expect(page.missing.count == 1 && page.missing.first?.contains(sequence) == true)
    #expect(page.lines.count >= written.count - (page.missing.first?.count ?? 0))
    #expect(!page.lines.contains { Self.sequence($0) == sequence })
    let failure = code {
      _ = try test.ask {
        test.worker.explainLine(sequence, target: { _, _ in nil }, by: .daemon, $0)
      }
    }
    #expect(failure == .damaged)
    // Others are not told how much there is.
    try test.govern([("audit.tail", "demo/**")])
    #expect(try test.tail(query(1000) { $0.after = 0 }, by: test.gate).missing == [])
  }

  @Test func `what was archived is not missing`() throws {
    let test = try Self.vault()
    let kept = try #require(try AuditArchiveTests.closings(test).first)
    try test.archive(kept)
    let page = try test.tail(query(1000) { $0.after = 0 })
    let first = page.lines.first.flatMap { Self.sequence($0) }
    #expect(first == kept.sequence + 1 && page.missing.isEmpty)
    let back = try test.tail(query(1000) { $0.before = kept.sequence + 3 })
    #expect(back.lines.count == 2 && back.next == nil)
    #expect(page.first == first && back.first == first)
    let failure = #expect(throws: VaultError.self) {
      _ = try test.ask { test.worker.explainLine(1, target: { _, _ in nil }, by: .daemon, $0) }
    }
    #expect(failure?.code == .notFound)
    #expect(failure?.message.hasSuffix("begins with line \(kept.sequence + 1)") == true)
    // Nor does it concern who may not see all of it.
    try test.govern([("audit.tail", "demo/**")])
    #expect(try test.tail(query(1000) { $0.after = 0 }, by: test.gate).first == nil)
  }

  @Test func `the parts of an export are the files up to where they ended at first`() throws {
    let test = try Self.vault()
    try test.archive(try #require(try AuditArchiveTests.closings(test).first))
    _ = try test.checkpoint()
    var files: [(name: String, text: [UInt8])] = []
    var place: LogFilePlace?
    var end: LogFilePlace?
    repeat {
      let part = try test.export(from: place, upTo: end)
      #expect(part.octets.count <= LogExtract.most && end.map { $0 == part.end } ?? true)
      if files.last?.name != part.name { files.append((part.name, [])) }
      files[files.count - 1].text += part.octets
      (place, end) = (part.next, part.end)
      // The log goes on meanwhile, into further segments.
      for _ in 0..<4 { try test.sign("demo/a") }
    } while place != nil
    _ = try AuditLog(test)
    #expect(files.map(\.name).prefix(1) == ["pruned.jsonl"] && files.count > 4)
    for file in files {
      let text = try Data(contentsOf: URL(filePath: test.directory.path + "/audit/" + file.name))
      let isWhole =
        file.name == files.last?.name ? text.starts(with: file.text) : text == Data(file.text)
      #expect(isWhole, "\(file.name)")
    }
    let log = MemoryText(files.map(\.name), files.map(\.text))
    let verdict = try AuditVerifier(log, key: test.vault.checkpointKey).run()
    #expect(verdict.fault == nil && verdict.report.uncovered == 0)
    let absent = code { try test.export(from: LogFilePlace(segment: 2, offset: 0)) }
    #expect(absent == .notFound)
  }

  @Test func `the schema has the members that lines have, in their order`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: root.appending(path: "Schema/vault.openrpc.json"))
    let schema = try JSONValue(Array(data).span)
    let line = schema["components"]?["schemas"]?["AuditLine"]
    let names = line?["properties"]?.members?.map(\.name)
    #expect(names == AuditField.allCases.map(\.name))
  }

  @Test func `a sealed vault tells nothing`() throws {
    let test = try Self.vault()
    try test.seal()
    #expect(code { _ = try test.tail(AuditQuery(limit: 1)) } == .sealed)
    #expect(code { try test.export() } == .sealed)
  }
}
