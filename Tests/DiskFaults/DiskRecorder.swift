import CFaultVFS
import Glibc
import Synchronization
package import VaultStore

/// Records every change to the disk, in order, and makes chosen ones fail.
///
/// It is a SQLite VFS (by its ``vfs`` name) and a ``FileLayer`` at once, so that one list holds the
/// changes of the database and of the files around it. Other writers call ``perform(_:)`` before
/// they do something. Each recorder registers a VFS of its own and lives as long as the process.
package final class DiskRecorder: FileLayer {
  /// When an operation fails.
  package struct Fault: Sendable {
    /// How many matching operations still succeed.
    package var after: Int
    /// The `errno` it fails with.
    package var code: Int32
    /// Whether all later ones fail as well.
    package var isLasting: Bool
    /// Which operations count.
    package var matches: @Sendable (DiskEvent) -> Bool

    /// Describes a fault; by default every operation counts, and all fail from then on.
    package init(
      after: Int, code: Int32, isLasting: Bool = true,
      matches: @escaping @Sendable (DiskEvent) -> Bool = { _ in true }
    ) {
      self.after = after
      self.code = code
      self.isLasting = isLasting
      self.matches = matches
    }
  }

  private struct State {
    var events: [DiskEvent] = []
    var fault: Fault?
    var failures = 0
    var reads = 0
  }

  /// The name of its VFS.
  package let vfs: String
  private let state = Mutex(State())
  private let system = SystemFiles()

  private static let count = Atomic(0)

  /// Registers a new recorder.
  package init() {
    vfs = "recorder-\(Self.count.add(1, ordering: .relaxed).newValue)"
    // Both live as long as the process, as SQLite demands.
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let code = unsafe fault_vfs_register(
      strdup(vfs),
      { context, operation, path, offset, bytes, count in
        guard let context = unsafe context else { return EINVAL }
        let recorder = unsafe Unmanaged<DiskRecorder>.fromOpaque(context).takeUnretainedValue()
        let name = unsafe String(cString: path)
        switch operation {
        case 1: return recorder.perform(.create(name))
        case 2:
          let data = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
          return recorder.perform(.write(name, offset: Int(offset), data))
        case 3: return recorder.perform(.truncate(name, size: Int(offset)))
        case 4: return recorder.perform(.synchronise(name))
        case 5: return recorder.perform(.delete(name))
        case 6: return recorder.perform(.synchroniseDirectory(DiskImage.parent(name)))
        default:
          recorder.state.withLock { $0.reads += 1 }
          return 0
        }
      }, context)
    assert(code == 0)
  }

  /// What was recorded since the last ``clear()``.
  package var events: [DiskEvent] { state.withLock { $0.events } }

  /// How many times SQLite read from a file.
  package var reads: Int { state.withLock { $0.reads } }

  /// How many operations were made to fail.
  package var failures: Int { state.withLock { $0.failures } }

  /// Forgets what was recorded.
  package func clear() {
    state.withLock { $0.events = [] }
  }

  /// Makes an operation fail, or with `nil` none.
  package func fail(_ fault: Fault?) {
    state.withLock { state in
      state.fault = fault
      state.failures = 0
    }
  }

  /// Notes a moment in the list.
  package func mark(_ name: String) {
    state.withLock { $0.events.append(.mark(name)) }
  }

  /// Records an operation that is about to happen.
  ///
  /// - Returns: 0, or the `errno` with which it shall fail instead.
  package func perform(_ event: DiskEvent) -> Int32 {
    state.withLock { state in
      if var fault = state.fault, fault.matches(event) {
        if fault.after <= 0 {
          state.failures += 1
          if !fault.isLasting { state.fault = nil }
          return fault.code
        }
        fault.after -= 1
        state.fault = fault
      }
      state.events.append(event)
      return 0
    }
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(StoreError) {
    try check(.makeDirectory, .makeDirectory(path))
    try system.makeDirectory(path, mode: mode)
  }

  package func writeNewFile(
    _ path: String, mode: UInt32, _ bytes: Span<UInt8>
  ) throws(StoreError) {
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    try check(.makeFile, .create(path))
    try check(.write, .write(path, offset: 0, copy))
    try check(.synchronise, .synchronise(path))
    try system.writeNewFile(path, mode: mode, bytes)
  }

  package func synchronise(_ path: String) throws(StoreError) {
    var status = stat()
    let isDirectory =
      unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    try check(.synchronise, isDirectory ? .synchroniseDirectory(path) : .synchronise(path))
    try system.synchronise(path)
  }

  package func rename(_ path: String, to target: String) throws(StoreError) {
    try check(.rename, .rename(path, to: target))
    try system.rename(path, to: target)
  }

  package func link(_ path: String, to target: String) throws(StoreError) {
    try check(.link, .link(path, to: target))
    try system.link(path, to: target)
  }

  package func remove(_ path: String) throws(StoreError) {
    try check(.remove, .delete(path))
    try system.remove(path)
  }

  package func removeDirectory(_ path: String) throws(StoreError) {
    try check(.remove, .removeDirectory(path))
    try system.removeDirectory(path)
  }

  private func check(_ operation: FileOperation, _ event: DiskEvent) throws(StoreError) {
    let code = perform(event)
    guard code != 0 else { return }
    throw code == ENOSPC ? .storageFull : .file(operation, errno: code)
  }
}
