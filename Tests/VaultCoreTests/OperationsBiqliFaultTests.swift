import BiqliEngine
import DiskFaults
import Foundation
import Glibc
import Testing
import WireCoding

@testable import VaultCore

/// What is told about an event is what is stored, whatever becomes of the commit, and a receipt is in no
/// file at any moment.
@Suite struct OperationsBiqliFaultTests {
  private static let receipt = "receipt-of-a-canary"

  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, no request is given out that is not stored`(_ code: Int32) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    var told = 0
    var failures = 1
    var count = 0
    while failures > 0 {
      let name = "app/\(count)"
      try test.installation(name)
      try test.capture(link: TestBiqli.link("\(count)"), name)
      recorder.fail(fault(code, after: count))
      let begun = try? test.begin(name)
      failures = recorder.failures
      recorder.fail(nil)
      try test.publicKey("after")
      let stored = try #require(try test.storedBiqli(name))
      if let begun {
        told += 1
        #expect(stored.pending == begun.request, "\(count)")
      }
      // Whoever asks next gets what is stored, or a new event when nothing is.
      let next = try test.begin(name).request
      if let pending = stored.pending {
        #expect(next.eventID == pending.eventID && next.body == pending.body, "\(count)")
      }
      count += 1
    }
    #expect(told > 0 && count > 3)
  }

  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, an event is settled as a whole or not at all`(
    _ code: Int32
  ) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    var failures = 1
    var count = 0
    var receipts = 0
    while failures > 0 {
      let name = "app/\(count)"
      try test.installation(name)
      try test.capture(link: TestBiqli.link("\(count)"), name)
      try test.capture(token: TestBiqli.token("t"), name)
      let event = try test.begin(name).request.eventID
      let before = try #require(try test.storedBiqli(name))
      recorder.fail(fault(code, after: count))
      let told = try? test.complete(event, name, "exact_handoff", receipt: Self.receipt)
      failures = recorder.failures
      recorder.fail(nil)
      try test.publicKey("after")
      let after = try #require(try test.storedBiqli(name))
      #expect(after == before || isSettled(after), "\(count)")
      if let told {
        #expect(told.report == .matched && told.receipt == Self.receipt && isSettled(after))
      }
      // Told again, it settles what was not settled, and gives the receipt only then.
      let again = try test.complete(event, name, "exact_handoff", receipt: Self.receipt)
      #expect(again.report == (isSettled(after) ? .stale : .matched), "\(count)")
      #expect((again.receipt != nil) == (again.report == .matched), "\(count)")
      receipts += [told?.receipt, again.receipt].count { $0 != nil }
      count += 1
    }
    #expect(count > 3 && receipts > count / 2)
    #expect(try files(of: directory.root, holding: Array(Self.receipt.utf8)) == [])
    test.vault.close()
    #expect(try files(of: directory.root, holding: Array(Self.receipt.utf8)) == [])
  }

  /// What callers were told last of an event; `nil` while a call is under way.
  private struct Told {
    var event: BiqliEventID?
    var body: BiqliSecret?
    var result: String?
  }

  @Test func `power loss at any moment keeps what was told, and no receipt`() throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.installation("app")
    var story: [Told?] = []
    func tell(_ told: Told?) {
      recorder.mark("\(story.count)")
      story.append(told)
    }
    var told = Told()
    for round in 0..<2 {
      try test.capture(link: TestBiqli.link("\(round)"), "app")
      tell(nil)
      let begun = try test.begin("app").request
      (told.event, told.body) = (begun.eventID, begun.body)
      tell(told)
      try test.begin("app")
      tell(nil)
      let match = round == 0 ? "none" : "exact_app_link"
      let settled = try test.complete(begun.eventID, "app", match, receipt: Self.receipt)
      #expect(settled.receipt == Self.receipt)
      told = Told(result: round == 0 ? nil : try test.cachedBiqli("app"))
      tell(told)
    }
    test.vault.close()

    var image = DiskImage(directories: ["/tmp", directory.root])
    var now: Told?
    var restarts = 0
    for (index, event) in recorder.events.enumerated() {
      if case .mark(let mark) = event { now = Int(mark).flatMap { story[$0] } }
      guard event.isSync, let promised = now else {
        image.apply(event)
        continue
      }
      try restart(image, .random(seed: UInt64(index)), of: directory.root, promised, "\(index)")
      image.apply(event)
      try restart(image, .none, of: directory.root, promised, "\(index), after it")
      restarts += 2
    }
    #expect(restarts > 5)
  }

  private func restart(
    _ image: DiskImage, _ survival: DiskImage.Survival, of root: String, _ told: Told,
    _ comment: String
  ) throws {
    let copy = LedgerTestVault(at: try LedgerTestVault.makeRoot())
    try image.write(survival, below: root, to: copy.root)
    #expect(try files(of: copy.root, holding: Array(Self.receipt.utf8)) == [], "\(comment)")
    let test = try CommitTestVault(copy)
    let stored = try #require(try test.storedBiqli("app"))
    #expect(stored.pending?.eventID == told.event, "\(comment)")
    #expect(stored.pending?.body == told.body, "\(comment)")
    guard let event = told.event else {
      return #expect(try test.cachedBiqli("app") == told.result, "\(comment)")
    }
    let again = try test.begin("app")
    #expect(again.beginning == .resumed && again.request.eventID == event, "\(comment)")
    #expect(again.request.body == told.body, "\(comment)")
  }

  @Test func `a reset and another marker leave no readable remains`() throws {
    let test = try CommitTestVault()
    for (name, isReset) in [("reset", true), ("marker", false)] {
      try test.installation(name)
      var traces: [[UInt8]] = []
      for path in ["1", "2"] {
        try test.capture(link: TestBiqli.link(path), name)
        try test.begin(name)
        traces.append(try box(test, of: name))
      }
      for trace in traces { #expect(try files(of: test.directory.root, holding: trace) != []) }
      if isReset {
        try test.resetBiqli(name)
      } else {
        try test.openBiqli(name, marker: 2)
      }
      // The erasure is finished between two batches.
      for _ in 0..<2 { try test.publicKey("other") }
      #expect(test.vault.committer.status.erasurePending == 0)
      for trace in traces { #expect(try files(of: test.directory.root, holding: trace) == []) }
    }
  }

  /// Some octets of the sealed record, as they are in the files.
  private func box(_ test: CommitTestVault, of name: String) throws -> [UInt8] {
    let name = try NamespaceName(name)
    let nonce = try LedgerReader(test.vault.ledger).read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(named: name) else { return [UInt8]() }
      return try snapshot.contents(of: entry).headers.first { $0.kind == .biqli }?.nonce ?? []
    }
    try #require(nonce.count == 24)
    return nonce
  }

  private func fault(_ code: Int32, after count: Int) -> DiskRecorder.Fault {
    .init(after: count, code: code, isLasting: false) { event in
      !event.isOfSegment && (code == EIO || event.needsSpace)
    }
  }

  private func isSettled(_ state: BiqliRecord) -> Bool {
    state.pending == nil && state.link == nil && state.token == nil && state.isCompleted
      && state.cachedResult != nil
  }

  /// The files below a directory that have these octets in them.
  private func files(of root: String, holding octets: [UInt8]) throws -> [String] {
    let needle = Data(octets)
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
      let content = FileManager.default.contents(atPath: root + "/" + path)
      return content?.range(of: needle) != nil
    }
  }
}
