import WireCoding

@testable import AliroEngine

/// How a reader stands with a vault.
enum Standing: CaseIterable {
  /// The vault has its persistent key, its group is in the pass, and the pass is good.
  case known
  case unknownReader, unknownGroup, expiredPass, unreadableMemory, refusedCredential

  /// The standings in which AUTH0's fast form is answered with a decoy.
  static let decoys = allCases.filter { $0 != .known }
}

extension Transaction {
  /// A session with a reader that stands so.
  func session(
    _ standing: Standing, transport: PresentationTransport? = nil, mailbox: MailboxSettings? = nil
  ) throws -> Session {
    let hasKey = standing != .unknownReader && !vector.input.kPersistent.isMissing
    let memory = hasKey ? keptKey : FakeMemory()
    memory.mailboxContents = mailbox.map { [UInt8](repeating: 0, count: $0.size) }
    if standing == .unreadableMemory { memory.refusal = Refusal(.damaged, "For a test.") }
    let over = DocumentInfo.Validity(
      signed: .earliest, validFrom: .earliest, validUntil: time("2026-01-16T00:00:00Z"))
    return try session(
      transport: transport, trust: standing == .unknownGroup ? [] : nil,
      documents: standing == .expiredPass ? DocumentInfo(access: over) : nil,
      refusal: standing == .refusedCredential ? Refusal(.passMissing, "For a test.") : nil,
      mailbox: mailbox, memory: memory)
  }
}
