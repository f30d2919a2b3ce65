import CFaultVFS
import Glibc
import Synchronization
import Testing
import VaultStore

@testable import VaultCore

/// A device that fails under reads as well as writes.
@Suite struct CommitReadFaultTests {
  private final class Device: Sendable {
    let failsReads = Atomic(false)
    let failsWrites = Atomic(false)
    /// How many reads fail before the others succeed.
    let failingReads = Atomic(0)
    let name: String

    init(_ name: String) throws {
      self.name = name
      // Both live as long as the process, as SQLite demands.
      let context = unsafe Unmanaged.passRetained(self).toOpaque()
      let code = unsafe fault_vfs_register(
        strdup(name),
        { context, operation, _, _, _, _ in
          guard let context = unsafe context else { return 0 }
          let device = unsafe Unmanaged<Device>.fromOpaque(context).takeUnretainedValue()
          let isRead = operation == Int32(FAULT_VFS_READ.rawValue)
          let fails = isRead ? device.failsRead() : device.failsWrites.isSet
          return fails ? EIO : 0
        }, context)
      try #require(code == 0)
    }

    private func failsRead() -> Bool {
      if failsReads.isSet { return true }
      guard failingReads.load(ordering: .sequentiallyConsistent) > 0 else { return false }
      return failingReads.subtract(1, ordering: .sequentiallyConsistent).oldValue > 0
    }
  }

  /// The vault on such a device, with a key `a`.
  private static func vault(_ device: Device) throws -> CommitTestVault {
    let made = try CommitTestVault()
    try made.publicKey("a")
    made.vault.close()
    return try CommitTestVault(
      made.directory,
      database: VaultDatabase(path: made.directory.path + "/vault.db", vfs: device.name))
  }

  @Test
  func `while the device fails calls are refused, and the keys are kept for when it recovers`()
    throws
  {
    let device = try Device("device-lasting")
    let test = try Self.vault(device)
    try test.sign("a")
    device.failsWrites.set(true)
    device.failsReads.set(true)
    for _ in 0..<3 { #expect(code { try test.sign("a") } == .auditUnavailable) }
    #expect(test.vault.isUnsealed && !test.vault.committer.status.isAvailable)
    device.failsReads.set(false)
    #expect(code { try test.sign("a") } == .auditUnavailable)
    device.failsWrites.set(false)
    try test.sign("a")
    #expect(test.damage == [] && test.vault.committer.status.isAvailable)
    #expect(try test.restarted().damage == [])
  }

  @Test func `a transaction that cannot even begin is answered all the same`() throws {
    let device = try Device("device-begin")
    let test = try Self.vault(device)
    device.failsWrites.set(true)
    #expect(code { try test.sign("a") } == .auditUnavailable)
    // The connection is a new one, which has to read before it can begin.
    device.failsWrites.set(false)
    device.failsReads.set(true)
    for _ in 0..<3 { #expect(code { try test.sign("a") } == .auditUnavailable) }
    device.failsReads.set(false)
    try test.sign("a")
    let log = try AuditLog(test)
    #expect(log.lines.count { $0.method == "key.sign" } >= 1)
  }

  @Test
  func `a transaction that fails at its first read is answered, though the device is well again`()
    throws
  {
    let device = try Device("device-first")
    let test = try Self.vault(device)
    try test.sign("a")
    var refused = 0
    for count in 1...4 {
      device.failsWrites.set(true)
      #expect(code { try test.sign("a") } == .auditUnavailable)
      device.failsWrites.set(false)
      device.failingReads.store(count, ordering: .sequentiallyConsistent)
      if let code = code({ try test.sign("a") }) {
        #expect(code == .auditUnavailable)
        refused += 1
      }
      device.failingReads.store(0, ordering: .sequentiallyConsistent)
      try test.sign("a")
    }
    #expect(refused > 0 && test.damage == [])
  }

  @Test func `sealing works on a device that has failed`() throws {
    let device = try Device("device-seal")
    let test = try Self.vault(device)
    device.failsWrites.set(true)
    device.failsReads.set(true)
    #expect(code { try test.seal() } == .auditUnavailable)
    #expect(!test.vault.isUnsealed)
    device.failsWrites.set(false)
    device.failsReads.set(false)
    try test.unseal()
    try test.sign("a")
    #expect(test.damage == [])
  }

  @Test func `a database that comes back as another one is not gone on with`() throws {
    let device = try Device("device-other")
    let test = try Self.vault(device)
    try test.sign("a")
    device.failsWrites.set(true)
    device.failsReads.set(true)
    #expect(code { try test.sign("a") } == .auditUnavailable)
    // Commits that were answered are lost with the device.
    try test.directory.tamper("UPDATE state SET epoch = epoch - 1, seq = seq - 1")
    device.failsReads.set(false)
    device.failsWrites.set(false)
    #expect(code { try test.sign("a") } == .auditUnavailable)
    #expect(!test.vault.isUnsealed)
    #expect(test.damage == [Damage.stateRow.words])
    #expect(code { try test.unseal() } == .damaged)
  }
}

extension Atomic where Value == Bool {
  fileprivate var isSet: Bool { load(ordering: .sequentiallyConsistent) }
  fileprivate func set(_ value: Bool) { store(value, ordering: .sequentiallyConsistent) }
}
