/// The names within and around a data directory.
package enum DataDirectory {
  /// The database file within the directory.
  package static let databaseName = "vault.db"
  /// The directory of audit segments.
  package static let auditName = "audit"
  /// The file that takes up the space kept back for a full disk.
  package static let reserveName = "reserve"
  /// The file whose lock makes the holder the directory's only user.
  package static let lockName = "vault.lock"

  /// The directory that a path is in, `.` for a bare name.
  package static func parent(of path: String) -> String {
    let trimmed = trim(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return "." }
    let parent = trimmed[..<slash]
    return parent.isEmpty ? "/" : String(parent)
  }

  /// The last component of a path.
  static func name(of path: String) -> String {
    let trimmed = trim(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return String(trimmed) }
    return String(trimmed[trimmed.index(after: slash)...])
  }

  private static func trim(_ path: String) -> Substring {
    var trimmed = path[...]
    while trimmed.count > 1 && trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
    return trimmed
  }
}
