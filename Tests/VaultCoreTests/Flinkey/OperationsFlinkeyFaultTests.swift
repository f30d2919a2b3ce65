import DiskFaults
import Foundation
import Glibc
import Synchronization
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The tokens are what was answered, whatever becomes of the commit, and a step is one caller's.
@Suite struct OperationsFlinkeyFaultTests {
  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, a step is taken whole or not at all`(_ code: Int32) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.renew("token-0")
    var failures = 1
    var count = 0
    while failures > 0 {
      // What was exchanged is not kept for the next exchange.
      let first = try #require(try calls.begin(remaining: 86_400))
      try calls.complete(first, .idToken(until: test.vault.committer.now + 1800))
      let work = try #require(try calls.begin(remaining: 86_400))
      let new = "token-\(count + 1)"
      recorder.fail(
        .init(after: count, code: code, isLasting: false) { event in
          !event.isOfSegment && (code == EIO || event.needsSpace)
        })
      let isStored =
        (try? calls.complete(work, .token(try held(new), seconds: 3600, tapkeyUser: nil))) != nil
      failures = recorder.failures
      recorder.fail(nil)
      // The fault is over, and so is the doubt it left.
      try test.publicKey("door")
      let found = try calls.token(remaining: 0)
      #expect(found.token?.text.hasPrefix("token-") == true, "\(count)")
      if isStored { #expect(found.token?.text == new, "\(count)") }
      // Either the step is done, or it is in hand yet; never is the old token gone before the new one.
      if found.token?.text != new {
        #expect(
          try calls.complete(
            work, .token(try held(new), seconds: 3600, tapkeyUser: nil)
          ).isStored)
      }
      #expect(try calls.token(remaining: 0).token?.text == new)
      count += 1
    }
    #expect(count > 3)
  }

  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, inputs that were handed out are leased`(_ code: Int32) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    let calls = try FlinkeyTestCalls.ready(test)
    var failures = 1
    var count = 0
    while failures > 0 {
      recorder.fail(
        .init(after: count, code: code, isLasting: false) { event in
          !event.isOfSegment && (code == EIO || event.needsSpace)
        })
      let work = try? calls.begin()
      failures = recorder.failures
      recorder.fail(nil)
      try test.publicKey("door")
      if let work {
        #expect(VaultCoreTests.code { _ = try calls.begin() } == .busy, "\(count)")
        try calls.complete(work, .failed)
      } else {
        // What was not answered may be stored all the same; its time will be over.
        test.clock.advance(wall: 60, boot: 60)
      }
      count += 1
    }
    #expect(count > 3)
  }

  @Test func `of many callers at once one gets the step, for each that is done`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    let name = try calls.name
    for round in 0..<30 {
      let answers = (0..<16).map { _ in
        Answer<CommitTestVault.Numbered<FlinkeyWork?>>()
      }
      let vault = test.vault
      let account = calls.account
      DispatchQueue.concurrentPerform(iterations: 16) { index in
        VaultWorker(vault).beginFlinkeyRenewal(
          account, FlinkeyRenewalRequest(minimumRemaining: 86_400, leaseSeconds: nil), name,
          by: FlinkeyTestCalls.subject(UInt32(2000 + index)), answers[index].reply)
      }
      var winners: [(UInt32, FlinkeyWork)] = []
      for (index, answer) in answers.enumerated() {
        switch try answer.result() {
        case .success(let found):
          winners.append((UInt32(2000 + index), try #require(found.value)))
        case .failure(let error): #expect(error.code == .busy)
        }
      }
      try #require(winners.count == 1, "\(round)")
      let (uid, work) = winners[0]
      let outcome: FlinkeyOutcome =
        switch work.inputs.step {
        case .apiToken: .token(try held("api"), seconds: 3600, tapkeyUser: nil)
        case .idToken: try .idToken(until: test.vault.committer.now + 1800)
        case .tapkeyToken: .token(try held("t\(round)"), seconds: 3600, tapkeyUser: nil)
        }
      #expect(
        try calls.complete(work, outcome, as: FlinkeyTestCalls.subject(uid)).isStored)
    }
  }

  @Test func `a restart keeps a step its caller's, and what was answered`() throws {
    var test = try CommitTestVault()
    var calls = try FlinkeyTestCalls.ready(test)
    for step in FlinkeyStep.allCases {
      let work = try calls.step(step)
      test = try test.restarted()
      calls = calls.on(test)
      #expect(code { _ = try calls.begin(as: FlinkeyTestCalls.subject(1300)) } == .busy)
      let outcome: FlinkeyOutcome =
        step == .idToken
        ? try .idToken(until: test.vault.committer.now + 1800)
        : .token(try held("t-\(step.rawValue)"), seconds: 3600, tapkeyUser: nil)
      #expect(try calls.complete(work, outcome).isStored)
      test = try test.restarted()
      calls = calls.on(test)
    }
    #expect(try calls.token().token?.text == "t-tapkey_token")
  }

  @Test func `a revocation is a line that no token comes after`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.renew()
    let name = try calls.name
    let account = calls.account
    let answers = (0..<200).map { _ in Answer<CommitTestVault.Numbered<FlinkeyStanding>>() }
    let vault = test.vault
    let revoked = Answer<CommitTestVault.Numbered<NamespaceID>>()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let worker = VaultWorker(vault)
      for index in stride(from: thread, to: 200, by: 4) {
        if index == 100 { worker.revokeNamespace(name, by: CommitTestVault.subject, revoked.reply) }
        worker.flinkeyToken(
          account, remaining: 0, name, by: CommitTestVault.subject, answers[index].reply)
      }
    }
    let line = try revoked.get().sequence
    for answer in answers {
      switch try answer.result() {
      case .success(let found): #expect(found.sequence < line && found.value.token != nil)
      case .failure(let error): #expect(error.code == .revoked)
      }
    }
  }

  @Test func `lines tell the step, the record by its digest, and what takes away`() throws {
    let test = try CommitTestVault()
    let calls = try FlinkeyTestCalls.ready(test)
    try calls.complete(calls.step(.apiToken), .failed)
    try calls.complete(calls.step(.apiToken), .assignmentEnded)
    try calls.unblock()
    try calls.block()
    try calls.forget()
    let user = Hex.encode(BLAKE2b.hash(Array("user/7/production".utf8).span).span)
    let lines = try AuditLog(test).lines.filter { $0.method.hasPrefix("flinkey.") }
      .map { (method: $0.method, text: String(decoding: $0.text, as: UTF8.self)) }
    #expect(
      lines.map(\.method) == [
        "flinkey.store", "flinkey.renew.begin", "flinkey.renew.complete", "flinkey.renew.begin",
        "flinkey.renew.complete", "flinkey.unblock", "flinkey.block", "flinkey.forget",
      ])
    for (index, line) in lines.enumerated() {
      #expect(line.text.contains(#""step":"api_token""#) == (1...4).contains(index))
      #expect(line.text.contains(#""restrictive":true"#) == [4, 6].contains(index), "\(index)")
      #expect(line.text.contains(user) == (index > 0))
    }
  }
}
