import FlinkeyEngine
import Testing
import WireCoding

@testable import VaultCore

@Suite struct OperationsFlinkeyTests {
  @Test func `a chain of steps leads to a token, each with the inputs of its own`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    let nothing = try calls.token()
    #expect(nothing.state == .renewable && nothing.step == .apiToken && nothing.token == nil)
    let first = try calls.step(.apiToken)
    guard case .apiToken(let key, let user, let password) = first.inputs else { return }
    #expect([key.text, user.text, password.text] == ["api-key-1", "user 1", "p&=+1"])
    let afterFirst = try calls.complete(
      first, .token(try held("bearer"), seconds: 3600, tapkeyUser: nil))
    #expect(afterFirst.isStored && afterFirst.standing.step == .idToken)
    let second = try calls.step(.idToken)
    guard case .idToken(let again, let bearer, let sdk, let customer) = second.inputs else {
      return
    }
    #expect([again.text, bearer.text, sdk.text] == ["api-key-1", "bearer", "sdk-1"])
    #expect(customer == 4711)
    let end = calls.test.vault.committer.now + 1800
    #expect(try calls.complete(second, .idToken(until: end)).standing.step == .tapkeyToken)
    let third = try calls.step(.tapkeyToken)
    guard case .tapkeyToken(let subject) = third.inputs else { return }
    #expect(subject.text.hasPrefix("e30."))
    let done = try calls.complete(
      third, .token(try held("tapkey"), seconds: 900, tapkeyUser: "ip:7"))
    #expect(done.isStored && done.standing.state == .valid && done.standing.token == nil)
    let valid = try calls.token()
    #expect(valid.token?.text == "tapkey" && valid.tapkeyUser == "ip:7")
    #expect(valid.expires == calls.test.vault.committer.now + 900)
    #expect(try calls.begin() == nil)
  }

  @Test func `a token is renewed before its end, and stays until the new one is there`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    try calls.renew("old", seconds: 900)
    #expect(try calls.token(remaining: 900).state == .valid)
    let short = try calls.token(remaining: 901)
    #expect(short.state == .renewable && short.step == .idToken && short.token == nil)
    calls.test.clock.advance(wall: 841, boot: 841)
    #expect(try calls.token().state == .renewable)
    #expect(try calls.token(remaining: 0).token?.text == "old")
    let work = try calls.step(.idToken)
    #expect(try calls.token(remaining: 0).token?.text == "old")
    #expect(try calls.token().leased == 60_000)
    try calls.complete(work, .failed)
    #expect(try calls.token(remaining: 0).token?.text == "old")
    try calls.renew("new")
    #expect(try calls.token().token?.text == "new")
  }

  @Test func `a step is one caller's until it is done or its time is over`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    var other = calls
    other.account = FlinkeyAccount(8, in: .production)
    let work = try calls.step(.apiToken)
    for attempt in [calls, other] {
      for subject in [FlinkeyTestCalls.renewer, FlinkeyTestCalls.subject(1300)] {
        do {
          _ = try attempt.begin(as: subject)
          Issue.record("a second caller got the step")
        } catch let error as VaultError {
          #expect(error.code == .busy && error.retry && error.retryAfter == 60_000)
        }
      }
    }
    let token = FlinkeyOutcome.token(try held("x"), seconds: 3600, tapkeyUser: nil)
    #expect(
      code { try calls.complete(work, token, as: FlinkeyTestCalls.subject(1300)) } == .conflict)
    #expect(code { try other.complete(work, token) } == .conflict)
    calls.test.clock.advance(wall: 60, boot: 60)
    #expect(code { try calls.complete(work, token) } == .conflict)
    let second = try other.step(.apiToken)
    #expect(code { try calls.complete(work, token) } == .conflict)
    #expect(try other.complete(second, token).isStored)
    #expect(code { try other.complete(second, token) } == .conflict)
    // The tenant's token serves every user.
    #expect(try calls.token().step == .idToken)
  }

  @Test func `an outcome that comes late changes nothing`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    try calls.renew("first", seconds: 70)
    calls.test.clock.advance(wall: 20, boot: 20)
    let late = FlinkeyOutcome.token(try held("late"), seconds: 3600, tapkeyUser: nil)
    for change in [
      { () throws in _ = try calls.forget() },
      { () throws in
        _ = try calls.block()
        _ = try calls.unblock()
      },
      { () throws in _ = try calls.store("2", dropsTokens: true) },
    ] {
      let work = try #require(try calls.begin())
      try change()
      #expect(code { try calls.complete(work, late) } == .conflict)
      #expect(try calls.token(remaining: 0).state == .renewable)
      let next = try #require(try calls.begin())
      try calls.complete(next, .failed)
    }
  }

  @Test(arguments: FlinkeyStep.allCases)
  func `only what is refused for good blocks`(step: FlinkeyStep) throws {
    let definite: [(FlinkeyOutcome, FlinkeyBlock)] =
      switch step {
      case .apiToken: []
      case .idToken: [(.status(400), .idTokenRefused), (.status(401), .idTokenRefused)]
      case .tapkeyToken:
        [
          (.oauthError("invalid_grant"), .exchangeRefused),
          (.oauthError("unauthorized_client"), .exchangeRefused),
        ]
      }
    var harmless: [FlinkeyOutcome] = [
      .failed, .status(500), .status(429), .oauthError("server_error"), .oauthError("slow_down"),
    ]
    // These say something of the renewer, and nothing of the user.
    harmless += ["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope"]
      .map { FlinkeyOutcome.oauthError($0) }
    if step != .idToken { harmless += [.status(400), .status(401)] }
    if step != .tapkeyToken { harmless.append(.oauthError("invalid_grant")) }
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    func reach() throws -> FlinkeyWork {
      while true {
        let work = try #require(try calls.begin())
        if work.inputs.step == step { return work }
        let outcome: FlinkeyOutcome =
          work.inputs.step == .apiToken
          ? .token(try held("api"), seconds: 3600, tapkeyUser: nil)
          : try .idToken(until: test.vault.committer.now + 3600)
        try calls.complete(work, outcome)
      }
    }
    for outcome in harmless {
      let after = try calls.complete(reach(), outcome).standing
      #expect(after.state == .renewable, "\(outcome)")
    }
    for (outcome, reason) in definite + [(.assignmentEnded, .assignmentEnded)] {
      let after = try calls.complete(reach(), outcome)
      #expect(!after.isStored && after.standing.state == .blocked, "\(outcome)")
      #expect(after.standing.block == reason)
      #expect(try calls.token().block == reason)
      #expect(code { _ = try calls.begin() } == .keyUnusable)
      #expect(try calls.unblock())
      #expect(try calls.token().state == .renewable)
    }
  }

  @Test func `a refusal of a token that was replaced, or has just ended, blocks nobody`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    var other = calls
    other.account = FlinkeyAccount(8, in: .production)
    // The tenant's token is another one before the answer for the first one comes.
    try calls.complete(
      calls.step(.apiToken), .token(held("old"), seconds: 3600, tapkeyUser: nil))
    let work = try calls.step(.idToken)
    try calls.store("2")
    try other.complete(
      other.step(.apiToken), .token(held("new"), seconds: 3600, tapkeyUser: nil))
    #expect(try calls.complete(work, .status(401)).standing.step == .idToken)
    // It ends while the step is in hand.
    let late = try calls.step(.idToken)
    calls.test.clock.advance(wall: 3600, boot: 3600)
    #expect(code { try calls.complete(late, .status(401)) } == .conflict)
    try calls.complete(
      calls.step(.apiToken), .token(held("short"), seconds: 40, tapkeyUser: nil))
    let short = try calls.step(.idToken)
    calls.test.clock.advance(wall: 20, boot: 20)
    let ended = try calls.complete(short, .status(401)).standing
    #expect(ended.state == .renewable && ended.step == .apiToken)
    // One that is current and lives is refused for good.
    try calls.complete(
      calls.step(.apiToken), .token(held("good"), seconds: 3600, tapkeyUser: nil))
    #expect(try calls.complete(calls.step(.idToken), .status(401)).standing.state == .blocked)
  }

  @Test func `credentials that are replaced end the step that had the old ones`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    let work = try calls.step(.apiToken)
    try calls.store("2")
    #expect(try calls.token().leased == nil)
    let again = try calls.step(.apiToken)
    let token = FlinkeyOutcome.token(try held("x"), seconds: 3600, tapkeyUser: nil)
    #expect(code { try calls.complete(work, token) } == .conflict)
    #expect(try calls.complete(again, token).isStored)
  }

  @Test func `blocked is blocked until it is ended, whatever else is called`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.renew()
    #expect(try calls.block())
    #expect(try !calls.block())
    #expect(try calls.token(remaining: 0).state == .blocked)
    #expect(try !calls.forget())
    try calls.store("2", dropsTokens: true)
    try calls.storeBox("C3-00-00-00")
    #expect(try calls.token().block == .ordered)
    let again = try calls.on(test.restarted())
    #expect(try again.token().state == .blocked)
    #expect(code { _ = try again.begin() } == .keyUnusable)
    #expect(try again.unblock())
    #expect(try !again.unblock())
    let standing = try again.token()
    #expect(standing.state == .renewable && standing.box?.description == "C3-00-00-00")
  }

  @Test func `a user that is forgotten leaves no record`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.renew()
    #expect(try test.records(of: "tenant").contains("flinkey/user/7/production"))
    #expect(try calls.forget())
    #expect(try !calls.forget())
    #expect(
      try test.records(of: "tenant").filter { $0.hasPrefix("flinkey") }
        == ["flinkey/credentials/production"])
  }

  @Test func `other credentials drop the token of the API, and the users' when told so`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    var blocked = calls
    blocked.account = FlinkeyAccount(9, in: .production)
    var elsewhere = calls
    elsewhere.account = FlinkeyAccount(7, in: .uat)
    try elsewhere.store()
    try elsewhere.renew()
    try calls.renew()
    try blocked.block()
    let stored = try calls.store("2")
    #expect(stored.replaced && stored.dropped == 0)
    #expect(try calls.token().state == .valid)
    #expect(try calls.store("3", dropsTokens: true).dropped == 1)
    #expect(try calls.token().step == .apiToken)
    #expect(try blocked.token().state == .blocked)
    #expect(try elsewhere.token().state == .valid)
    guard case .apiToken(let key, _, _) = try calls.step(.apiToken).inputs else { return }
    #expect(key.text == "api-key-3")
  }

  @Test func `what has ended is not kept`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.renew("t", seconds: 100)
    test.clock.advance(wall: 3601, boot: 3601)
    // The first call records the time, by which the next one knows that they have ended.
    for _ in 0..<2 { #expect(try calls.token(remaining: 0).step == .apiToken) }
    #expect(
      try test.records(of: "tenant").filter { $0.hasPrefix("flinkey") }
        == ["flinkey/credentials/production"])
  }

  @Test func `a token that is none is refused by name, and the step stays`() throws {
    let calls = try FlinkeyTestCalls.ready(CommitTestVault())
    func refused(_ work: FlinkeyWork, _ outcome: FlinkeyOutcome) -> String? {
      do {
        try calls.complete(work, outcome)
        return nil
      } catch let error as VaultError {
        #expect(error.code == .invalidParameters)
        return error.field
      } catch { return "\(error)" }
    }
    let now = calls.test.vault.committer.now
    let work = try calls.step(.apiToken)
    #expect(refused(work, .token(try held("a b"), seconds: 60, tapkeyUser: nil)) == "token")
    #expect(refused(work, .token(try held("a"), seconds: nil, tapkeyUser: nil)) == "expires_in")
    #expect(refused(work, .token(try held("a"), seconds: 0, tapkeyUser: nil)) == "expires_in")
    #expect(refused(work, .token(try held("a"), seconds: 60, tapkeyUser: "x")) == "tapkey_user")
    try calls.complete(work, .token(try held("a"), seconds: 60, tapkeyUser: nil))
    let second = try calls.step(.idToken)
    #expect(refused(second, .token(try held("no.jwt"), seconds: nil, tapkeyUser: nil)) == "token")
    #expect(refused(second, try .idToken(until: now)) == "token")
    #expect(refused(second, try .idToken(until: now + 31_536_001)) == "token")
    #expect(refused(second, try .idToken(until: -1)) == "token")
    #expect(
      refused(second, .token(try held("e30.e30.e30"), seconds: 5, tapkeyUser: nil)) == "expires_in")
    #expect(try calls.complete(second, .idToken(until: now + 60)).isStored)
  }

  @Test func `nothing is there without a namespace or credentials, nor after a revocation`() throws
  {
    let test = try CommitTestVault()
    var calls = FlinkeyTestCalls(test: test)
    #expect(code { try calls.store() } == .notFound)
    #expect(code { _ = try calls.token() } == .notFound)
    try test.publicKey("tenant")
    #expect(try calls.token().step == .apiToken)
    #expect(code { _ = try calls.begin() } == .notFound)
    try calls.store()
    try calls.renew()
    try test.suspend("tenant")
    #expect(code { _ = try calls.token() } == .keyUnusable)
    #expect(code { _ = try calls.begin() } == .keyUnusable)
    try calls.block()
    try calls.unblock()
    try test.resume("tenant")
    try calls.renew()
    try test.revoke("tenant")
    for call in [
      { () throws in _ = try calls.token() }, { () throws in _ = try calls.begin() },
      { () throws in _ = try calls.store() }, { () throws in _ = try calls.block() },
    ] { #expect(code { try call() } == .revoked) }
    #expect(try test.records(of: "tenant") == [])
    calls.namespace = "other"
    try test.publicKey("other")
    #expect(try calls.token().step == .apiToken)
  }

  @Test func `command data has the vault's time, and a suspended namespace gets none`() throws {
    let test = try CommitTestVault()
    try test.publicKey("tenant")
    let box = try FlinkeyBoxID("C1-08-F0-94")
    func ask(_ question: FlinkeyBoxQuestion) throws -> FlinkeyBoxAnswer {
      try test.ask {
        test.worker.flinkeyBox(
          question, try NamespaceName("tenant"), by: CommitTestVault.subject, $0)
      }.value
    }
    let answer = try ask(FlinkeyBoxQuestion(box, command: (.lockCarLockBox, true)))
    #expect(answer.command?.time == 1_700_000_500)
    #expect(
      answer.command?.data
        == FlinkeyBoxAction.lockCarLockBox.commandData(
          readingNFC: true, atMilliseconds: 1_700_000_500_000))
    try test.suspend("tenant")
    #expect(
      code { _ = try ask(FlinkeyBoxQuestion(box, command: (.status, false))) } == .keyUnusable)
    #expect(try ask(FlinkeyBoxQuestion(box)).command == nil)
  }
}
