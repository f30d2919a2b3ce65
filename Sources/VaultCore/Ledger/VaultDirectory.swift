import Glibc
import SecureMemory
package import VaultStore
import WireCoding

/// Makes the data directory of a new vault: whole, or not at all.
///
/// Everything is built in a sibling directory, made durable, and renamed into place. Whatever
/// happens before the rename leaves at most a sibling that nothing opens; the next initialisation
/// removes it.
package enum VaultDirectory {
  /// Makes a vault.
  ///
  /// - Parameters:
  ///   - path: the directory to make; it may exist if it is empty.
  ///   - draft: keys and slots; at least one slot.
  ///   - firstAdmin: whom the first policy names.
  ///   - files: the file system.
  ///   - vfs: the VFS of the database, `nil` for the default one.
  /// - Throws: ``LedgerError/notEmpty``, ``LedgerError/lastSlot`` for a draft without slots,
  ///   ``LedgerError/store(_:)``.
  package static func initialise(
    at path: String, _ draft: borrowing VaultDraft, firstAdmin: FirstAdmin,
    files: any FileLayer = SystemFiles(), vfs: String? = nil
  ) throws(LedgerError) {
    guard !draft.slots.isEmpty else { throw .lastSlot }
    let parent = DataDirectory.parent(of: path)
    let prefix = ".\(DataDirectory.name(of: path)).init-"
    try checkTarget(path)
    removeStale(in: parent, prefix: prefix, files)
    let sibling = "\(parent)/\(prefix)\(Hex.encode(SecureRandom.bytes(8).span))"
    try stored { () throws(StoreError) in try files.makeDirectory(sibling, mode: 0o700) }
    do throws(LedgerError) {
      let empty: [UInt8] = []
      try stored { () throws(StoreError) in
        try files.writeNewFile(
          "\(sibling)/\(DataDirectory.lockName)", mode: 0o600, empty.span)
      }
      // Held until the vault is in place, so that another initialisation leaves the sibling alone.
      let lock = try stored { () throws(StoreError) in
        try DirectoryLock("\(sibling)/\(DataDirectory.lockName)")
      }
      try build(sibling, draft, firstAdmin, files, vfs)
      try stored { () throws(StoreError) in
        try files.rename(sibling, to: path)
        try files.synchronise(parent)
      }
      _ = consume lock
    } catch {
      remove(sibling, files)
      if case .store(.file(.rename, let code)) = error, code == ENOTEMPTY || code == EEXIST {
        throw .notEmpty
      }
      throw error
    }
  }

  private static func build(
    _ sibling: String, _ draft: borrowing VaultDraft, _ firstAdmin: FirstAdmin,
    _ files: any FileLayer, _ vfs: String?
  ) throws(LedgerError) {
    let empty: [UInt8] = []
    let database = "\(sibling)/\(DataDirectory.databaseName)"
    try stored { () throws(StoreError) in
      try files.makeDirectory("\(sibling)/\(DataDirectory.auditName)", mode: 0o750)
      // Made here rather than by SQLite for the mode, which its side files inherit.
      try files.writeNewFile(database, mode: 0o600, empty.span)
    }
    do {
      let connection = try stored { () throws(StoreError) in
        let connection = try VaultDatabase(path: database, vfs: vfs).create()
        try connection.begin()
        return connection
      }
      try draft.write(to: connection, firstAdmin: firstAdmin)
      let isWhole = try stored { () throws(StoreError) in
        try connection.commit()
        return try connection.truncateLog()
      }
      guard isWhole else { throw LedgerError.store(.busy) }
    }
    try stored { () throws(StoreError) in
      try files.synchronise(database)
      try files.synchronise("\(sibling)/\(DataDirectory.auditName)")
      try files.synchronise(sibling)
    }
  }

  private static func checkTarget(_ path: String) throws(LedgerError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw .store(.file(.open, errno: errno))
    }
    guard status.st_mode & S_IFMT == S_IFDIR, names(in: path)?.isEmpty == true else {
      throw .notEmpty
    }
  }

  /// Removes siblings that an initialisation which was killed left behind.
  private static func removeStale(in parent: String, prefix: String, _ files: any FileLayer) {
    for name in names(in: parent) ?? [] where name.hasPrefix(prefix) {
      let sibling = "\(parent)/\(name)"
      var status = stat()
      guard unsafe lstat(sibling, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == geteuid()
      else { continue }
      // A lock that cannot be had belongs to an initialisation that is still at work; a missing
      // lock file to one that was killed before it made one.
      do {
        let lock = try DirectoryLock("\(sibling)/\(DataDirectory.lockName)")
        remove(sibling, files)
        _ = consume lock
      } catch {
        if case .file(.open, ENOENT) = error { remove(sibling, files) }
      }
    }
  }

  /// Removes exactly what ``build`` makes; anything else in there makes it stay.
  private static func remove(_ sibling: String, _ files: any FileLayer) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? files.remove("\(sibling)/\(DataDirectory.databaseName)\(suffix)")
    }
    try? files.removeDirectory("\(sibling)/\(DataDirectory.auditName)")
    try? files.remove("\(sibling)/\(DataDirectory.lockName)")
    try? files.removeDirectory(sibling)
  }

  private static func names(in directory: String) -> [String]? {
    guard let stream = unsafe opendir(directory) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
