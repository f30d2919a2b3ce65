import Glibc
import VaultCore

/// What a file system is to the vault; both may be the same one.
enum FileSystemRole: String, CaseIterable {
  /// It holds the database.
  case data
  /// It holds the audit segments.
  case audit

  /// The octets that may still be written, by role; none when the system does not tell.
  static func freeOctets(_ dataDirectory: String) -> [UInt64] {
    let found = allCases.compactMap { role -> UInt64? in
      switch role {
      case .data: free(dataDirectory)
      // Before its first line the directory is not there, and will be in the other.
      case .audit: free("\(dataDirectory)/\(DataDirectory.auditName)") ?? free(dataDirectory)
      }
    }
    return found.count == allCases.count ? found : []
  }

  private static func free(_ path: String) -> UInt64? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
      .partialValue
  }
}
