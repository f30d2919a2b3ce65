import AccessPolicy
import AliroEngine
import DiskFaults
import Foundation
import SecureMemory
import Synchronization
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// A clock that stands still until it is moved.
final class TestClock: VaultClock {
  private let times: Mutex<(wall: Int64, boot: Int64)>
  private let synchronised = Mutex(false)

  init(wall: Int64 = 1_700_000_500, boot: Int64 = 1_000) {
    times = Mutex((wall, boot * 1_000))
  }

  func wallSeconds() -> Int64 { times.withLock { $0.wall } }
  func bootMilliseconds() -> Int64 { times.withLock { $0.boot } }
  func isSynchronised() -> Bool { synchronised.withLock { $0 } }

  /// Sets what the kernel says of the clock.
  func synchronise(_ isSynchronised: Bool = true) { synchronised.withLock { $0 = isSynchronised } }

  /// Moves the clock on.
  ///
  /// - Parameters:
  ///   - wall: seconds of wall time.
  ///   - boot: seconds of uptime.
  ///   - milliseconds: milliseconds of uptime besides.
  func advance(wall: Int64 = 0, boot: Int64 = 0, milliseconds: Int64 = 0) {
    times.withLock { $0 = ($0.wall + wall, $0.boot + boot * 1_000 + milliseconds) }
  }
}

/// The one answer of a call, which may come on any thread.
final class Answer<Value: Sendable>: Sendable {
  private let results = Mutex<[Result<Value, VaultError>]>([])
  private let arrived = DispatchSemaphore(value: 0)
  private let noted: @Sendable (Result<Value, VaultError>) -> Void

  /// - Parameter noted: told of the answer on the thread that gives it.
  init(_ noted: @escaping @Sendable (Result<Value, VaultError>) -> Void = { _ in }) {
    self.noted = noted
  }

  var reply: @Sendable (Result<Value, VaultError>) -> Void {
    { result in
      self.noted(result)
      self.results.withLock { $0.append(result) }
      self.arrived.signal()
    }
  }

  /// How often the call was answered so far.
  var count: Int { results.withLock { $0.count } }

  /// Waits for the answer.
  func result() throws -> Result<Value, VaultError> {
    // Far longer than anything takes: it only keeps a defect from hanging the tests.
    guard arrived.wait(timeout: .now() + 120) == .success else {
      Issue.record("A call was not answered.")
      throw VaultError(.internal, "no answer")
    }
    arrived.signal()
    return try results.withLock { try #require($0.first) }
  }

  func get() throws -> Value { try result().get() }
}

/// A vault in a directory of its own, with the calls that tests make, each waited for.
final class CommitTestVault {
  typealias Numbered<Value> = (value: Value, sequence: Int64)

  let directory: LedgerTestVault
  let clock: TestClock
  let vault: Vault
  let worker: VaultWorker

  /// Settings that let calls go on while the audit segments cannot be written.
  static var patient: VaultSettings {
    var settings = VaultSettings()
    settings.auditBacklog = 100_000
    return settings
  }

  static let subject = AuditEntry.Subject(Caller(uid: 1000, gid: 1000, groups: [], pid: 42))

  /// Opens a vault: by default a new one in a new directory, unsealed.
  init(
    _ directory: LedgerTestVault? = nil, database: VaultDatabase? = nil,
    audit: (any AuditSource)? = nil, anchor: (any CheckpointAnchor)? = nil,
    clock: TestClock = TestClock(), settings: VaultSettings = patient,
    accounts: any AccountSource = TestAccounts(), hooks: VaultHooks = VaultHooks(),
    isSealed: Bool = false
  ) throws {
    try SecureHeap.start(bytes: 1 << 20)
    let directory = try directory ?? LedgerTestVault()
    self.directory = directory
    self.clock = clock
    vault = try Vault(
      VaultLocation(
        database: database ?? directory.database,
        audit: audit ?? AuditDirectory(path: directory.path + "/audit"), anchor: anchor),
      settings: settings, clock: clock, accounts: accounts, hooks: hooks)
    worker = VaultWorker(vault)
    if !isSealed { try unseal() }
  }

  deinit { vault.close() }

  /// Closes the vault and opens it again, as a restart of the daemon does.
  func restarted(isSealed: Bool = false) throws -> CommitTestVault {
    vault.close()
    return try CommitTestVault(directory, clock: clock, isSealed: isSealed)
  }

  var damage: [String] { vault.committer.status.damage }

  /// Makes a call and waits for its answer.
  func ask<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, VaultError>) -> Void) throws -> Void
  ) throws -> Value {
    let answer = Answer<Value>()
    try call(answer.reply)
    return try answer.get()
  }

  @discardableResult
  func unseal(
    _ secret: [UInt8] = LedgerTestVault.first, slot: Int64? = nil,
    checkpoint: AuditCheckpoint? = nil
  ) throws -> Int64 {
    try ask {
      vault.unseal(
        try Self.secret(secret), slot: slot, checkpoint: checkpoint, by: Self.subject, $0)
    }.sequence
  }

  static func secret(_ secret: [UInt8]) throws -> OpeningSecret {
    try OpeningSecret(.keyFile, try SecretBytes(copying: secret.span))
  }

  @discardableResult
  func seal() throws -> Int64 { try ask { worker.seal(by: Self.subject, $0) } }

  @discardableResult
  func publicKey(
    _ name: String, _ purpose: KeyPurpose = .signing
  ) throws -> Numbered<PublicKeyAnswer> {
    try ask { worker.publicKey(try NamespaceName(name), purpose, by: Self.subject, $0) }
  }

  @discardableResult
  func sign(_ name: String, _ message: [UInt8] = [1, 2, 3]) throws -> Numbered<SignatureAnswer> {
    try ask { worker.sign(try NamespaceName(name), .message(message), by: Self.subject, $0) }
  }

  @discardableResult
  func revoke(_ name: String) throws -> Int64 {
    try ask { worker.revokeNamespace(try NamespaceName(name), by: Self.subject, $0) }.sequence
  }

  @discardableResult
  func revoke(within prefix: String) throws -> Numbered<Int> {
    try ask { worker.revokeNamespaces(within: try NamespaceName(prefix), by: Self.subject, $0) }
  }

  @discardableResult
  func suspend(_ name: String) throws -> Numbered<NamespaceStateChange> {
    try ask { worker.setSuspended(true, try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func resume(_ name: String) throws -> Numbered<NamespaceStateChange> {
    try ask { worker.setSuspended(false, try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func storePass(
    _ pass: TokenUnlockPass, resolvingKeys: [GroupResolvingKey] = [], _ name: String
  ) throws -> Numbered<(pass: PassDescription, replaced: Bool)> {
    try ask {
      worker.storePass(
        pass, resolvingKeys: resolvingKeys, try NamespaceName(name), by: Self.subject, $0)
    }
  }

  @discardableResult
  func describePass(_ name: String) throws -> PassDescription {
    try ask { worker.describePass(try NamespaceName(name), by: Self.subject, $0) }.value
  }

  @discardableResult
  func deletePass(_ name: String) throws -> Numbered<PassDeletion> {
    try ask { worker.deletePass(try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func describe(_ name: String) throws -> NamespaceDescription {
    try ask { worker.describeNamespace(try NamespaceName(name), by: Self.subject, $0) }
  }

  @discardableResult
  func open(
    _ name: String, connection: UInt64 = 1, user: UInt32 = subject.caller.uid,
    _ request: PresentationRequest = .door
  ) throws -> Numbered<OpenedPresentation> {
    try ask {
      worker.openPresentation(
        try NamespaceName(name), request, connection: connection,
        by: AuditEntry.Subject(Caller(uid: user, gid: user, groups: [], pid: 42)), $0)
    }
  }

  @discardableResult
  func exchange(
    _ id: [UInt8], _ message: [UInt8], connection: UInt64 = 1, user: UInt32 = subject.caller.uid
  ) throws -> Numbered<PresentationStep> {
    try ask {
      worker.exchange(
        id, message, connection: connection,
        by: AuditEntry.Subject(Caller(uid: user, gid: user, groups: [], pid: 42)), $0)
    }
  }

  /// A namespace with a presentation key and a pass for it.
  @discardableResult
  func door(_ name: String, mailbox: Int? = nil) throws -> P256PublicKey {
    let key = try publicKey(name, .presentation).value.key
    try storePass(TestPass.pass(for: key, mailbox: mailbox), name)
    return key
  }

  /// Opens a presentation and takes a reader through AUTH0 in the standard form.
  func greet(
    _ reader: TestReader, at name: String, connection: UInt64 = 1, user: UInt32 = subject.caller.uid
  ) throws -> [UInt8] {
    let id = try open(name, connection: connection, user: user).value.id
    try reader.takeAuth0(
      try exchange(id, reader.auth0(), connection: connection, user: user).value.messages)
    return id
  }

  /// Opens a presentation and takes a reader through the standard form, AUTH1 included.
  @discardableResult
  func present(
    _ name: String, to reader: TestReader, connection: UInt64 = 1
  ) throws -> [UInt8] {
    let id = try greet(reader, at: name, connection: connection)
    try reader.takeAuth1(try exchange(id, reader.auth1(), connection: connection).value.messages)
    return id
  }

  /// Whether a reader is answered with a cryptogram that it knows.
  func isFast(_ name: String, to reader: TestReader) throws -> Bool {
    let id = try open(name).value.id
    return try reader.takeAuth0(try exchange(id, reader.auth0(fast: true)).value.messages)
  }

  /// The kinds and identifiers of a namespace's records.
  func records(of name: String) throws -> [String] {
    let name = try NamespaceName(name)
    return try LedgerReader(vault.ledger).read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(named: name), entry.state != .tombstone else {
        return []
      }
      return try snapshot.contents(of: entry).headers.map { "\($0.kind)/\($0.id)" }
    }
  }

  /// The octets of a namespace's mailbox.
  func mailbox(of name: String) throws -> [UInt8]? {
    let namespace = try OpenNamespace(NamespaceName(name), from: LedgerReader(vault.ledger))
    return try NamespaceMemory(worker: worker, fence: namespace.fence()).mailbox()
  }

  @discardableResult
  func configure(_ name: String, userConfirmation: Bool) throws -> Int64 {
    try ask {
      worker.configureNamespace(
        try NamespaceName(name), userConfirmation: userConfirmation, by: Self.subject, $0)
    }.sequence
  }
}

extension PresentationRequest {
  /// To open a door over BLE.
  static var door: PresentationRequest {
    PresentationRequest(.ble(readerVersions: [1, 0], version: [1, 0], intent: .unsecure))
  }
}

/// Runs `body` and gives the code of the error it must fail with.
func code(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> VaultError.Code? {
  do {
    try body()
    return nil
  } catch let error as VaultError {
    return error.code
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
    return nil
  }
}
