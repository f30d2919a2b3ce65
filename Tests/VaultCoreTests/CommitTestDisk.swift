import DiskFaults
import Foundation
import Glibc
import Synchronization
import Testing
import VaultCrypto

@testable import VaultCore

/// Audit segments whose every change goes past a recorder, which may refuse it.
struct RecordedAudit: AuditSource {
  final class Listings: Sendable {
    private let counter = Atomic(0)
    var count: Int { counter.load(ordering: .relaxed) }
    func add() { counter.add(1, ordering: .relaxed) }
  }

  let directory: String
  let recorder: DiskRecorder
  /// How often the segments were listed, as whoever reads the log does each time.
  let listings = Listings()
  private var inner: AuditDirectory { AuditDirectory(path: directory) }

  init(_ vault: LedgerTestVault, _ recorder: DiskRecorder) {
    directory = vault.path + "/audit"
    self.recorder = recorder
  }

  func sizes() throws(AuditFileError) -> [Int64: Int64] { try inner.sizes() }

  func numbers() throws(AuditFileError) -> [Int64] {
    listings.add()
    return try inner.numbers()
  }

  func open(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    RecordedAuditFile(try inner.open(number), path(number), recorder)
  }

  func make(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    try recorder.check(.create(path(number)))
    try recorder.check(.synchroniseDirectory(directory))
    return RecordedAuditFile(try inner.make(number), path(number), recorder)
  }

  func remove(_ number: Int64) throws(AuditFileError) {
    try recorder.check(.delete(path(number)))
    try recorder.check(.synchroniseDirectory(directory))
    try inner.remove(number)
  }

  func pruneFile(isNew: Bool) throws(AuditFileError) -> (any AuditFile)? {
    let path = directory + "/" + AuditPruneLog.fileName
    if let found = try inner.pruneFile(isNew: false) {
      return RecordedAuditFile(found, path, recorder)
    }
    guard isNew else { return nil }
    try recorder.check(.create(path))
    try recorder.check(.synchroniseDirectory(directory))
    return try inner.pruneFile(isNew: true).map { RecordedAuditFile($0, path, recorder) }
  }

  private func path(_ number: Int64) -> String {
    directory + "/" + String(repeating: "0", count: 10 - String(number).count) + "\(number).jsonl"
  }
}

private final class RecordedAuditFile: AuditFile {
  private let file: any AuditFile
  private let path: String
  private let recorder: DiskRecorder

  init(_ file: any AuditFile, _ path: String, _ recorder: DiskRecorder) {
    self.file = file
    self.path = path
    self.recorder = recorder
  }

  func size() throws(AuditFileError) -> Int64 { try file.size() }

  func read(at offset: Int64, count: Int) throws(AuditFileError) -> [UInt8] {
    try file.read(at: offset, count: count)
  }

  func append(_ bytes: [UInt8]) throws(AuditFileError) {
    // In two halves, so that a refusal leaves the first one behind, as a full disk does.
    let middle = bytes.count / 2
    for part in [bytes[..<middle], bytes[middle...]] {
      let offset = Int(try file.size())
      try recorder.check(.write(path, offset: offset, Array(part)))
      try file.append(Array(part))
    }
  }

  func truncate(to size: Int64) throws(AuditFileError) {
    try recorder.check(.truncate(path, size: Int(size)))
    try file.truncate(to: size)
  }

  func synchronise() throws(AuditFileError) {
    try recorder.check(.synchronise(path))
    try file.synchronise()
  }
}

extension DiskRecorder {
  fileprivate func check(_ event: DiskEvent) throws(AuditFileError) {
    let code = perform(event)
    guard code == 0 else { throw AuditFileError(code: code) }
  }
}

extension DiskEvent {
  /// The file it changes.
  var path: String? {
    switch self {
    case .create(let path), .write(let path, _, _), .truncate(let path, _), .synchronise(let path),
      .delete(let path), .makeDirectory(let path), .rename(let path, _), .link(let path, _),
      .removeDirectory(let path), .synchroniseDirectory(let path):
      path
    case .mark: nil
    }
  }

  /// Whether it makes the names in a directory durable.
  var isOfDirectory: Bool { if case .synchroniseDirectory = self { true } else { false } }

  var isOfSegment: Bool { path?.contains("/audit") ?? false }
}

/// What callers were told; the vault must never take it back.
final class Promises: Sendable {
  struct State {
    /// The public keys given out: name and purpose, to version and point.
    var keys: [String: (version: Int64, point: [UInt8])] = [:]
    /// The digest of the pass of each name, `nil` when it was deleted.
    var passes: [String: [UInt8]?] = [:]
    var revoked: Set<String> = []
    /// The line of each answer, and its method.
    var lines: [Int64: String] = [:]
  }

  let state = Mutex(State())
}

extension CommitTestVault {
  /// Checks that a vault keeps what was promised.
  func check(_ promises: Promises.State, _ comment: String) throws {
    #expect(damage == [], "\(comment)")
    for (name, key) in promises.keys {
      let parts = name.split(separator: "#").map(String.init)
      guard !promises.revoked.contains(parts[0]), let purpose = KeyPurpose(rawValue: parts[1])
      else {
        continue
      }
      let found = try publicKey(parts[0], purpose).value
      // A deletion whose answer was lost on the way may have happened.
      if found.version == key.version {
        #expect(found.key.uncompressed == key.point && !found.isNew, "\(comment): \(name)")
      } else {
        #expect(found.version > key.version && promises.passes[parts[0]] == nil, "\(comment)")
      }
    }
    for (name, digest) in promises.passes where !promises.revoked.contains(name) {
      let found = try? describePass(name)
      #expect(found?.digest == digest, "\(comment): the pass of \(name)")
    }
    for name in promises.revoked {
      #expect(code { try sign(name) } == .revoked, "\(comment): \(name)")
      #expect(try describe(name).entry.state == .tombstone, "\(comment): \(name)")
    }
    let log = try AuditLog(self)
    for (line, method) in promises.lines {
      let found = log.line(line)
      #expect(found?.method == method && found?.outcome == "ok", "\(comment): line \(line)")
    }
  }
}
