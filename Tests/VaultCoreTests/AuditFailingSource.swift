import Glibc
import Synchronization

@testable import VaultCore

/// Audit segments of which chosen calls fail: any call, not only those that write.
final class AuditFailingSource: AuditSource {
  /// How a call fails.
  struct Fault: Sendable {
    /// The `errno` it fails with.
    var code: Int32
    /// How many calls still succeed.
    var after: Int
    /// Whether all later ones fail as well.
    var isLasting = true
    /// Whether a write leaves its first half behind, and a cut or a synchronisation is done, before
    /// it fails.
    var isShort = false
    /// Whether only calls that change something count.
    var isOfWrites = false
  }

  private struct State {
    var fault: Fault?
    var calls = 0
    var failures = 0
  }

  private let inner: any AuditSource
  private let state = Mutex(State())

  init(_ inner: any AuditSource) {
    self.inner = inner
  }

  /// How many calls failed since the fault was set.
  var failures: Int { state.withLock { $0.failures } }

  /// Lets calls fail from now on, or none.
  func fail(_ fault: Fault?) {
    state.withLock { $0 = State(fault: fault) }
  }

  fileprivate func fails(writing: Bool) -> (code: Int32, isShort: Bool)? {
    state.withLock { state in
      guard let fault = state.fault, writing || !fault.isOfWrites else { return nil }
      defer { state.calls += 1 }
      guard fault.isLasting ? state.calls >= fault.after : state.calls == fault.after else {
        return nil
      }
      state.failures += 1
      return (fault.code, fault.isShort)
    }
  }

  fileprivate func check(writing: Bool = false) throws(AuditFileError) {
    if let fault = fails(writing: writing) { throw AuditFileError(code: fault.code) }
  }

  func sizes() throws(AuditFileError) -> [Int64: Int64] {
    try check()
    return try inner.sizes()
  }

  func open(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    try check()
    return AuditFailingFile(try inner.open(number), self)
  }

  func make(_ number: Int64) throws(AuditFileError) -> any AuditFile {
    try check(writing: true)
    return AuditFailingFile(try inner.make(number), self)
  }

  func remove(_ number: Int64) throws(AuditFileError) {
    let fault = fails(writing: true)
    if fault?.isShort ?? true { try inner.remove(number) }
    if let fault { throw AuditFileError(code: fault.code) }
  }

  func pruneFile(isNew: Bool) throws(AuditFileError) -> (any AuditFile)? {
    try check(writing: isNew)
    return try inner.pruneFile(isNew: isNew).map { AuditFailingFile($0, self) }
  }
}

private final class AuditFailingFile: AuditFile {
  private let file: any AuditFile
  private let source: AuditFailingSource

  init(_ file: any AuditFile, _ source: AuditFailingSource) {
    self.file = file
    self.source = source
  }

  func size() throws(AuditFileError) -> Int64 {
    try source.check()
    return try file.size()
  }

  func read(at offset: Int64, count: Int) throws(AuditFileError) -> [UInt8] {
    try source.check()
    return try file.read(at: offset, count: count)
  }

  func append(_ bytes: [UInt8]) throws(AuditFileError) {
    let fault = source.fails(writing: true)
    if fault?.isShort ?? true {
      try file.append(fault == nil ? bytes : Array(bytes[..<(bytes.count / 2)]))
    }
    if let fault { throw AuditFileError(code: fault.code) }
  }

  func truncate(to size: Int64) throws(AuditFileError) {
    let fault = source.fails(writing: true)
    if fault?.isShort ?? true { try file.truncate(to: size) }
    if let fault { throw AuditFileError(code: fault.code) }
  }

  func synchronise() throws(AuditFileError) {
    let fault = source.fails(writing: true)
    if fault?.isShort ?? true { try file.synchronise() }
    if let fault { throw AuditFileError(code: fault.code) }
  }
}
