package import FlinkeyEngine
import SecureMemory
package import WireCoding

/// What is asked about a box.
package struct FlinkeyBoxQuestion: Sendable {
  /// The box.
  package let box: FlinkeyBoxID
  /// What the box is to be told, and whether it reads its tags besides.
  package let command: (action: FlinkeyBoxAction, readingNFC: Bool)?
  /// What the box has answered.
  package let feedback: FlinkeyFeedback?

  /// Makes a question.
  package init(
    _ box: FlinkeyBoxID, command: (action: FlinkeyBoxAction, readingNFC: Bool)? = nil,
    feedback: FlinkeyFeedback? = nil
  ) {
    self.box = box
    self.command = command
    self.feedback = feedback
  }
}

/// What is known of a box.
package struct FlinkeyBoxAnswer: Sendable {
  package let box: FlinkeyBoxID
  /// The data for the box's trigger command, 16 octets, and the time in it, Unix seconds.
  package let command: (data: [UInt8], time: Int64)?
  package let feedback: FlinkeyFeedback?
}

extension VaultWorker {
  /// Stores what a tenant has from the vendor's portal, or the box of a user.
  package func storeFlinkey(
    _ storing: FlinkeyStoring, _ environment: FlinkeyEnvironment, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: FlinkeyStored, sequence: Int64)>
  ) {
    change("flinkey.store", name, by: subject, reply) { context throws(VaultError) in
      try context.store(storing, environment, in: name)
    }
  }

  /// Gives the Tapkey token of a user when it lives for so many seconds yet, or says what is due.
  package func flinkeyToken(
    _ account: FlinkeyAccount, remaining seconds: Int64?, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: FlinkeyStanding, sequence: Int64)>
  ) {
    change("flinkey.token", name, by: subject, reply) { context throws(VaultError) in
      try context.flinkeyToken(
        account, seconds ?? FlinkeyRenewalRequest.standardRemaining, in: name)
    }
  }

  /// Hands the step that is due to the caller, with what it needs; `nil` when nothing is due.
  package func beginFlinkeyRenewal(
    _ account: FlinkeyAccount, _ request: FlinkeyRenewalRequest, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: FlinkeyWork?, sequence: Int64)>
  ) {
    let lease = SecureRandom.bytes(FlinkeyLease.identifierLength)
    change("flinkey.renew.begin", name, by: subject, reply) { context throws(VaultError) in
      try context.beginRenewal(account, request, lease: lease, in: name)
    }
  }

  /// Takes what came of a step; `conflict` when the step is no more the caller's.
  package func completeFlinkeyRenewal(
    _ account: FlinkeyAccount, _ outcome: FlinkeyOutcome, lease: [UInt8], _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: FlinkeyCompletion, sequence: Int64)>
  ) {
    change("flinkey.renew.complete", name, by: subject, reply) { context throws(VaultError) in
      try context.completeRenewal(account, outcome, lease: lease, in: name)
    }
  }

  /// Blocks a user; told whether the user was not blocked before.
  package func blockFlinkey(
    _ account: FlinkeyAccount, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    change("flinkey.block", name, takesAway: true, by: subject, reply) {
      context throws(VaultError) in
      try context.block(account, in: name)
    }
  }

  /// Ends the block of a user; told whether the user was blocked.
  package func unblockFlinkey(
    _ account: FlinkeyAccount, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    change("flinkey.unblock", name, by: subject, reply) { context throws(VaultError) in
      try context.unblock(account, in: name)
    }
  }

  /// Forgets a user: tokens, the box and a step in hand; told whether there was one of these.
  package func forgetFlinkey(
    _ account: FlinkeyAccount, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    change("flinkey.forget", name, takesAway: true, by: subject, reply) {
      context throws(VaultError) in
      try context.forget(account, in: name)
    }
  }

  /// Makes command data for a box by the vault's time, and passes on what was read of the box.
  package func flinkeyBox(
    _ question: FlinkeyBoxQuestion, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: FlinkeyBoxAnswer, sequence: Int64)>
  ) {
    change("flinkey.box_id", name, by: subject, reply) { context throws(VaultError) in
      let namespace = try context.flinkeyNamespace(name, question.box.description)
      var command: (data: [UInt8], time: Int64)?
      if let wanted = question.command {
        try namespace.checkFlinkeyUse()
        let data = wanted.action.commandData(
          readingNFC: wanted.readingNFC, atMilliseconds: UInt64(clamping: context.now) * 1000)
        command = (data, context.now)
      }
      return FlinkeyBoxAnswer(box: question.box, command: command, feedback: question.feedback)
    }
  }

  private func change<Value: Sendable>(
    _ method: StaticString, _ name: NamespaceName, takesAway: Bool = false,
    by subject: AuditEntry.Subject, _ reply: @escaping Answer<(value: Value, sequence: Int64)>,
    _ body: @escaping @Sendable (CommitContext) throws(VaultError) -> Value
  ) {
    change(
      AuditEntry(method, by: subject, namespace: name), takesAway: takesAway, reply, body)
  }
}
