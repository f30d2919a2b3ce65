import Foundation
import Testing

@testable import VaultServer

@Suite struct TokenBucketTests {
  private func instant(_ milliseconds: UInt64) -> Instant {
    Instant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func `lets the burst through, then the rate`() {
    let bucket = TokenBucket(rate: 10, burst: 3)
    #expect((0..<5).map { _ in bucket.take(at: instant(0)) } == [true, true, true, false, false])
    #expect(!bucket.take(at: instant(99)))
    #expect(bucket.take(at: instant(100)))
    #expect(!bucket.take(at: instant(100)))
    #expect(bucket.take(at: instant(200)))
  }

  @Test func `says how long it takes until there is one`() {
    let bucket = TokenBucket(rate: 10, burst: 3)
    #expect(bucket.wait(at: instant(0)) == 0)
    for _ in 0..<3 { _ = bucket.take(at: instant(0)) }
    #expect(bucket.wait(at: instant(0)) == 100_000_000)
    #expect(bucket.wait(at: instant(99)) == 1_000_000)
    #expect(bucket.wait(at: instant(100)) == 0)
    #expect(TokenBucket(rate: 0, burst: 1).wait(at: instant(0)) == 0)
  }

  @Test func `fills up to the burst and no further`() {
    let bucket = TokenBucket(rate: 10, burst: 2)
    #expect(bucket.take(at: instant(0)))
    #expect(!bucket.isFull(at: instant(50)))
    #expect(bucket.isFull(at: instant(100)))
    #expect((0..<3).map { _ in bucket.take(at: instant(1_000_000)) } == [true, true, false])
  }

  @Test func `a rate of zero lets everything through`() {
    let bucket = TokenBucket(rate: 0, burst: 1)
    #expect((0..<1000).allSatisfy { _ in bucket.take(at: instant(0)) })
  }

  @Test func `counts exactly when many threads take at once`() {
    let bucket = TokenBucket(rate: 1, burst: 500)
    let taken = Counts()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 where bucket.take(at: instant(0)) { taken.add() }
    }
    #expect(taken.total == 500)
  }

  private final class Counts: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    func add() { lock.withLock { count += 1 } }
    var total: Int { lock.withLock { count } }
  }
}

@Suite struct InboxTests {
  private func expect(
    _ inbox: borrowing Inbox, holds expected: [UInt8],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var octets: [UInt8] = []
    inbox.withOctets { span in octets = span.indices.map { span[$0] } }
    #expect(octets == expected, sourceLocation: sourceLocation)
  }

  @Test func `keeps octets in order through every growth and gives its memory back`() throws {
    let budget = LockedBudget(3 << 20)
    do {
      var inbox = Inbox(budget: budget)
      var expected: [UInt8] = []
      for round in 0..<700 {
        let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: round)
        try inbox.append(piece.span)
        expected += piece
      }
      let count = inbox.count
      #expect(count == expected.count)
      expect(inbox, holds: expected)
      inbox.removeFirst(1000)
      expect(inbox, holds: Array(expected.dropFirst(1000)))
    }
    #expect(budget.take(3 << 20))
  }

  @Test func `a tail gives back what it does not need`() throws {
    let budget = LockedBudget(100 << 10)
    var inbox = Inbox(budget: budget)
    try inbox.append([UInt8](repeating: 1, count: 60_000).span, isBacklog: true)
    inbox.removeFirst(59_990)
    try inbox.becomePartial()
    let isBacklog = inbox.isBacklog
    #expect(!isBacklog)
    expect(inbox, holds: [UInt8](repeating: 1, count: 10))
    #expect(budget.take((100 << 10) - 256))
  }

  @Test func `keeps what it had when memory runs out`() throws {
    let budget = LockedBudget(8 << 10)
    var inbox = Inbox(budget: budget)
    try inbox.append([UInt8](repeating: 1, count: 4000).span)
    var isRefused = false
    do { try inbox.append([UInt8](repeating: 2, count: 4000).span) } catch { isRefused = true }
    #expect(isRefused)
    expect(inbox, holds: [UInt8](repeating: 1, count: 4000))
    inbox.clear()
    let isEmpty = inbox.isEmpty
    #expect(isEmpty)
    #expect(budget.take(8 << 10))
  }
}

@Suite struct MailboxTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Posts text; tells whether the thread has to be woken.
  private func post(_ text: String, to token: UInt64, of mailbox: Mailbox) -> Bool {
    mailbox.post(line(text).span, to: token)
  }

  @Test func `only the first to post to a sleeping thread has to ring`() throws {
    let mailbox = try Mailbox()
    #expect(!post("busy", to: 1, of: mailbox))
    #expect(!mailbox.prepareToSleep())
    var contents = Mailbox.Contents()
    #expect(mailbox.collect(into: &contents))
    contents.reset()
    #expect(mailbox.prepareToSleep())
    #expect(post("a", to: 1, of: mailbox))
    #expect(!post("b", to: 2, of: mailbox))
    #expect(mailbox.collect(into: &contents))
    #expect(contents.answers.map(\.token) == [1, 2])
    #expect(contents.octets == line("a\nb\n"))
  }

  @Test func `a closed mailbox takes nothing and wakes nobody`() throws {
    let mailbox = try Mailbox()
    #expect(mailbox.prepareToSleep())
    mailbox.close()
    #expect(!post("a", to: 1, of: mailbox))
    #expect(!mailbox.post(.drain(deadline: .now())))
    var contents = Mailbox.Contents()
    #expect(!mailbox.collect(into: &contents))
  }

  @Test func `a reply can be sent once through its shared form`() throws {
    let mailbox = try Mailbox()
    let pending = PendingReply(Reply(mailbox: mailbox, token: 7))
    pending.send(line("first").span)
    pending.send(line("second").span)
    var contents = Mailbox.Contents()
    #expect(mailbox.collect(into: &contents))
    #expect(contents.octets == line("first\n"))
  }
}

@Suite struct FramingRefusalTests {
  @Test(arguments: FramingRefusal.allCases)
  func `is one line of JSON-RPC`(refusal: FramingRefusal) throws {
    let object = try JSONSerialization.jsonObject(with: Data(refusal.line)) as? [String: Any]
    let error = object?["error"] as? [String: Any]
    let data = error?["data"] as? [String: Any]
    #expect(object?["jsonrpc"] as? String == "2.0")
    #expect(object?["id"] is NSNull)
    #expect(error?["code"] as? Int == refusal.rawValue)
    #expect(data?["code"] as? String == refusal.code)
    #expect(data?["retry"] as? Bool == refusal.isRetryable)
    #expect(!refusal.line.contains(0x0A))
  }
}
