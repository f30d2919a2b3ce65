import AccessPolicy
import FlinkeyEngine
import Foundation
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// A secret that a test knows.
func held(_ text: String) throws -> HeldSecret {
  HeldSecret(try SecretBytes(copying: Array(text.utf8).span))
}

extension HeldSecret {
  /// What a test has put into it.
  var text: String {
    bytes.withBytes { octets in String(decoding: octets.indices.map { octets[$0] }, as: UTF8.self) }
  }
}

extension FlinkeyOutcome {
  /// An IdToken that ends at a time, as the flinkey API makes one.
  static func idToken(until end: Int64) throws -> FlinkeyOutcome {
    let payload = Data(#"{"sub":"7","exp":\#(end)}"#.utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return .token(try held("e30.\(payload).c2ln"), seconds: nil, tapkeyUser: nil)
  }
}

/// Calls about one flinkey user, each waited for.
struct FlinkeyTestCalls {
  static let renewer = FlinkeyTestCalls.subject(1200)

  static func subject(_ uid: UInt32) -> AuditEntry.Subject {
    AuditEntry.Subject(Caller(uid: uid, gid: uid, groups: [], pid: 77))
  }

  let test: CommitTestVault
  var account = FlinkeyAccount(7, in: .production)
  var namespace = "tenant"

  /// A vault with a namespace and credentials for it.
  static func ready(_ test: CommitTestVault) throws -> FlinkeyTestCalls {
    let calls = FlinkeyTestCalls(test: test)
    try test.publicKey("tenant")
    try calls.store()
    return calls
  }

  var name: NamespaceName { get throws { try NamespaceName(namespace) } }

  static func credentials(_ mark: String = "1") throws -> FlinkeyCredentials {
    try FlinkeyCredentials(
      apiKey: held("api-key-\(mark)"), userName: held("user \(mark)"),
      password: held("p&=+\(mark)"), sdkKey: held("sdk-\(mark)"), customerID: 4711)
  }

  @discardableResult
  func store(_ mark: String = "1", dropsTokens: Bool = false) throws -> FlinkeyStored {
    try test.ask {
      test.worker.storeFlinkey(
        .credentials(try Self.credentials(mark), dropsTokens: dropsTokens), account.environment,
        try name, by: CommitTestVault.subject, $0)
    }.value
  }

  @discardableResult
  func storeBox(_ text: String) throws -> FlinkeyStored {
    try test.ask {
      test.worker.storeFlinkey(
        .box(try FlinkeyBoxID(text), user: account.user), account.environment, try name,
        by: CommitTestVault.subject, $0)
    }.value
  }

  func token(remaining seconds: Int64? = nil) throws -> FlinkeyStanding {
    try test.ask {
      test.worker.flinkeyToken(
        account, remaining: seconds, try name, by: CommitTestVault.subject, $0)
    }.value
  }

  func begin(
    as subject: AuditEntry.Subject = renewer, remaining: Int64? = nil, lease: Int64? = nil
  ) throws -> FlinkeyWork? {
    try test.ask {
      test.worker.beginFlinkeyRenewal(
        account, FlinkeyRenewalRequest(minimumRemaining: remaining, leaseSeconds: lease), try name,
        by: subject, $0)
    }.value
  }

  @discardableResult
  func complete(
    _ work: FlinkeyWork, _ outcome: FlinkeyOutcome, as subject: AuditEntry.Subject = renewer
  ) throws -> FlinkeyCompletion {
    try test.ask {
      test.worker.completeFlinkeyRenewal(
        account, outcome, lease: work.lease, try name, by: subject, $0)
    }.value
  }

  /// Begins the step that must be due.
  func step(_ step: FlinkeyStep) throws -> FlinkeyWork {
    let work = try #require(try begin())
    #expect(work.inputs.step == step)
    return work
  }

  /// Goes through the steps that are due, up to a Tapkey token that lives for some seconds.
  @discardableResult
  func renew(_ token: String = "tapkey", seconds: Int64 = 3600) throws -> FlinkeyCompletion? {
    var last: FlinkeyCompletion?
    while let work = try begin() {
      let outcome: FlinkeyOutcome =
        switch work.inputs.step {
        case .apiToken: .token(try held("api-\(token)"), seconds: 3600, tapkeyUser: nil)
        case .idToken: try .idToken(until: test.vault.committer.now + 1800)
        case .tapkeyToken: .token(try held(token), seconds: seconds, tapkeyUser: "tk-1")
        }
      last = try complete(work, outcome)
      guard last?.isStored == true else { break }
    }
    return last
  }

  @discardableResult
  func block() throws -> Bool {
    try test.ask {
      test.worker.blockFlinkey(account, try name, by: CommitTestVault.subject, $0)
    }.value
  }

  @discardableResult
  func unblock() throws -> Bool {
    try test.ask {
      test.worker.unblockFlinkey(account, try name, by: CommitTestVault.subject, $0)
    }.value
  }

  @discardableResult
  func forget() throws -> Bool {
    try test.ask {
      test.worker.forgetFlinkey(account, try name, by: CommitTestVault.subject, $0)
    }.value
  }

  /// The same calls about another vault object, such as one that was restarted.
  func on(_ test: CommitTestVault) -> FlinkeyTestCalls {
    FlinkeyTestCalls(test: test, account: account, namespace: namespace)
  }
}
