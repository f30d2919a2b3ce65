import AliroEngine
package import Glibc
import VaultCore

/// What the daemon's configuration file says; without one, the standard values.
package struct Configuration: Hashable, Sendable {
  /// Users that may connect to the client socket and see the status; ``Standing`` has all of it.
  package var allowedUsers: Set<uid_t> = []
  /// Groups whose members may do that.
  package var allowedGroups: Set<gid_t> = []
  /// Users that may connect to both sockets, and unseal, besides root and the daemon's own.
  package var adminUsers: Set<uid_t> = []
  /// Groups whose members may do that.
  package var adminGroups: Set<gid_t> = []
  /// I/O threads; 0 is one for each core.
  package var ioThreads = 0
  /// What bounds the callers.
  package var limits = Limits()
  /// After how many seconds an open presentation is given up.
  package var presentationTimeout = 30
  /// How many milliseconds a reader on BLE has for its first command.
  package var auth0Timeout = Int(PresentationConfiguration.defaultAuth0Timeout)
  /// After how many octets a segment of the audit log is closed.
  package var auditSegmentSize = Int(VaultSettings.standardSegmentSize)
  /// How many audit lines may be missing from the log's files before calls are refused.
  package var auditBacklog = Int(VaultSettings.standardBacklog)
  /// The file that the newest checkpoint of the audit log is kept in besides, `nil` for none.
  package var anchorFile: String?

  /// The standard configuration.
  package init() {}

  /// How many I/O threads there will be.
  package var threadCount: Int {
    ioThreads > 0 ? ioThreads : min(64, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// The locked memory that the server itself needs at most, in bytes; each piece takes up to a
  /// page more than its size.
  package var lockedBytes: Int {
    threadCount * (IOLoop.workspaceSize + 4096) + limits.partialLimit + (limits.partialLimit >> 2)
  }
}
