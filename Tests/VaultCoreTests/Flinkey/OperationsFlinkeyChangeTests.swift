import FlinkeyEngine
import Testing

@testable import VaultCore

/// What late answers, repeated calls and limits change, and what they leave alone.
@Suite struct OperationsFlinkeyChangeTests {
  /// For each call of a method, whether its line is one to repeat after a restore.
  private func restrictive(_ test: CommitTestVault, _ method: String) throws -> [Bool] {
    try AuditLog(test).lines.filter { $0.method == method }
      .map { String(decoding: $0.text, as: UTF8.self).contains(#""restrictive":true"#) }
  }

  @Test func `a refusal of a token that is here no more blocks nobody`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    var other = calls
    other.account = FlinkeyAccount(8, in: .production)
    func begun(_ seconds: Int64) throws -> FlinkeyWork {
      try calls.complete(
        calls.step(.apiToken), .token(held("api"), seconds: seconds, tapkeyUser: nil))
      return try calls.step(.idToken)
    }
    // It went with the credentials it was got with.
    let first = try begun(3600)
    try calls.store("2")
    let rotated = try calls.complete(first, .status(401)).standing
    #expect(rotated.state == .renewable && rotated.step == .apiToken)
    // It was refused for another user.
    let second = try begun(3600)
    #expect(try other.complete(other.step(.idToken), .status(401)).standing.state == .blocked)
    #expect(try calls.complete(second, .status(400)).standing.state == .renewable)
    // It has ended and was dropped; the first call records the time, by which the next one knows.
    let third = try begun(40)
    test.clock.advance(wall: 45, boot: 45)
    for _ in 0..<2 { #expect(try other.token().state == .blocked) }
    #expect(try calls.complete(third, .status(401)).standing.state == .renewable)
    // So has an IdToken.
    let fourth = try begun(3600)
    try calls.complete(fourth, .idToken(until: fourth.expires - 20))
    let last = try calls.step(.tapkeyToken)
    test.clock.advance(wall: 45, boot: 45)
    for _ in 0..<2 { #expect(try calls.token().state == .renewable) }
    let ended = try calls.complete(last, .oauthError("invalid_grant")).standing
    #expect(ended.state == .renewable)
  }

  @Test func `a token's life counts from the begin of its step`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    let first = try calls.step(.apiToken)
    test.clock.advance(wall: 50, boot: 50)
    let short = try calls.complete(first, .token(held("a"), seconds: 60, tapkeyUser: nil))
    #expect(short.isStored && short.standing.step == .idToken)
    test.clock.advance(wall: 1, boot: 1)
    #expect(try calls.token().step == .apiToken)
    try calls.complete(
      calls.step(.apiToken), .token(held("b"), seconds: 3600, tapkeyUser: nil))
    try calls.complete(calls.step(.idToken), .idToken(until: first.expires + 1800))
    let last = try calls.step(.tapkeyToken)
    test.clock.advance(wall: 30, boot: 30)
    try calls.complete(last, .token(held("t"), seconds: 900, tapkeyUser: nil))
    #expect(try calls.token().expires == last.expires - 60 + 900)
  }

  @Test func `an IdToken goes when it was exchanged`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    try calls.renew()
    #expect(try calls.token(remaining: 86_400).step == .idToken)
  }

  @Test func `what changes nothing takes nothing away`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    #expect(try !calls.forget())
    #expect(try calls.block())
    #expect(try !calls.block())
    #expect(try !calls.forget())
    #expect(try calls.unblock())
    #expect(try !calls.forget())
    // A step in hand goes, too.
    let work = try calls.step(.apiToken)
    #expect(try calls.forget())
    #expect(code { try calls.complete(work, .failed) } == .conflict)
    try calls.storeBox("C3-00-00-00")
    #expect(try calls.forget())
    #expect(try calls.token().box == nil)
    #expect(try restrictive(test, "flinkey.forget") == [false, false, false, true, true])
    #expect(try restrictive(test, "flinkey.block") == [true, false])
  }

  @Test func `credentials that take tokens away are to be stored again after a restore`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.store("2")
    try calls.renew()
    #expect(try calls.store("3", dropsTokens: true).dropped == 1)
    #expect(try calls.store("4", dropsTokens: true).dropped == 0)
    #expect(try restrictive(test, "flinkey.store") == [false, false, true, false])
  }

  @Test func `a namespace has so many users, and each one may be blocked`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    var other = calls
    for number in 1...FlinkeyLimits.users {
      other.account = FlinkeyAccount(Int64(number), in: .production)
      try other.storeBox("C3-00-00-00")
    }
    // Whoever is there is renewed, and has another box.
    try other.renew()
    #expect(try other.token().state == .valid)
    #expect(try calls.storeBox("C1-08-F0-94").replaced)
    other.account = FlinkeyAccount(1000, in: .production)
    #expect(code { try other.storeBox("C3-00-00-00") } == .tooLarge)
    #expect(code { _ = try other.begin() } == .tooLarge)
    #expect(try other.block())
    #expect(try other.token().state == .blocked)
    #expect(try calls.store("2", dropsTokens: true).dropped == 1)
    #expect(try other.unblock())
    #expect(code { _ = try other.begin() } == .tooLarge)
  }
}
