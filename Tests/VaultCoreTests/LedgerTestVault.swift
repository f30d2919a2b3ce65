import DiskFaults
import Foundation
import SecureMemory
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// A vault in a directory of its own, opened with a key file whose secret is `first`.
final class LedgerTestVault: Sendable {
  let root: String
  let recorder: DiskRecorder?
  var path: String { root + "/vault" }
  var database: VaultDatabase {
    VaultDatabase(path: path + "/vault.db", vfs: recorder?.vfs)
  }

  static let first = [UInt8](repeating: 0x11, count: 32)
  static let second = [UInt8](repeating: 0x22, count: 32)

  /// Makes a vault with two key-file slots, closed again.
  init(recorder: DiskRecorder? = nil, created: Int64 = 1_700_000_000) throws {
    root = try Self.makeRoot()
    self.recorder = recorder
    var draft = try VaultDraft(created: created)
    try draft.addSlot(Self.secret(Self.first), label: "first")
    try draft.addSlot(Self.secret(Self.second), label: "second")
    let admin = try #require(FirstAdmin("user:1000"))
    try VaultDirectory.initialise(
      at: path, draft, firstAdmin: admin, files: recorder ?? SystemFiles(),
      vfs: recorder?.vfs)
  }

  /// Copies a vault that is closed.
  init(copying other: LedgerTestVault) throws {
    root = try Self.makeRoot()
    recorder = nil
    try FileManager.default.copyItem(atPath: other.path, toPath: path)
  }

  /// Takes a directory that was written by a test.
  init(at root: String) {
    self.root = root
    recorder = nil
  }

  deinit {
    try? FileManager.default.removeItem(atPath: root)
  }

  static func makeRoot() throws -> String {
    let root = "/tmp/latchkey-ledger-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    return root
  }

  static func secret(_ bytes: [UInt8]) throws -> UnsealSecret {
    try UnsealSecret(keyFile: try SecretBytes(copying: bytes.span))
  }

  /// Opens and unseals.
  func open(
    _ secret: [UInt8] = LedgerTestVault.first, slot: Int64? = nil
  ) throws -> OpenTestLedger {
    let (ledger, writer) = try Ledger.open(database)
    let report = try ledger.unseal(
      try ledger.openSlot(try Self.secret(secret), slot: slot))
    return OpenTestLedger(
      ledger: ledger, writer: writer, reader: try LedgerReader(ledger), report: report)
  }

  /// Runs SQL behind the vault's back, constraints ignored.
  func tamper(_ sql: String, attach other: LedgerTestVault? = nil) throws {
    let connection = try SQLiteConnection(path: path + "/vault.db", access: .readWrite)
    try connection.execute("PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF;")
    if let other { try connection.execute("ATTACH '\(other.path)/vault.db' AS other") }
    try connection.execute(sql)
  }
}

/// An unsealed vault.
struct OpenTestLedger {
  let ledger: Ledger
  let writer: LedgerWriter
  let reader: LedgerReader
  let report: UnsealReport

  /// Runs changes in a transaction of their own; every commit is one audit line.
  @discardableResult
  func commit<Result>(_ body: (LedgerWriter) throws -> Result) throws -> Result {
    var state = try #require(try writer.begin())
    do {
      let result = try body(writer)
      state.seq += 1
      state.chainHead = BLAKE2b.hash(state.chainHead.span)
      try writer.commit(state)
      return result
    } catch {
      writer.rollback()
      throw error
    }
  }

  func namespace(_ name: String) throws -> NamespaceEntry? {
    let name = try NamespaceName(name)
    return try reader.read { snapshot throws(LedgerError) in try snapshot.namespace(named: name) }
  }

  /// The content of a record, `nil` when it is proven not to exist.
  func record(_ name: String, _ kind: RecordKind, _ id: String) throws -> [UInt8]? {
    let name = try NamespaceName(name)
    return try reader.read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(named: name) else { return nil }
      let contents = try snapshot.contents(of: entry)
      guard let secret = try contents.open(kind, id) else { return nil }
      return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
  }
}

extension LedgerWriter {
  func put(_ text: String, _ kind: RecordKind, _ id: String, in name: String) throws {
    try put(
      try SecretBytes(copying: Array(text.utf8).span), kind, id, in: try NamespaceName(name))
  }

  func create(_ name: String) throws {
    _ = try createNamespace(named: try NamespaceName(name), at: 1_700_000_100)
  }
}
