package import Glibc

/// Decides who may connect at all; what they may do is the service's matter.
package struct Admission: Sendable {
  private let owner: uid_t
  private let users: Set<uid_t>
  private let groups: Set<gid_t>
  private let others: @Sendable (Caller, Endpoint) -> Bool

  /// Admits root, the daemon's own user, and whom the configuration or `others` names.
  ///
  /// - Parameters:
  ///   - configuration: holds the users and groups admitted always.
  ///   - owner: the daemon's own user.
  ///   - others: asked for everyone else, on the thread that accepts connections.
  package init(
    _ configuration: Configuration, owner: uid_t = geteuid(),
    others: @escaping @Sendable (Caller, Endpoint) -> Bool = { _, _ in false }
  ) {
    self.owner = owner
    users = configuration.allowedUsers
    groups = configuration.allowedGroups
    self.others = others
  }

  /// Whether a caller may connect.
  package func admits(_ caller: Caller, by endpoint: Endpoint) -> Bool {
    caller.uid == 0 || caller.uid == owner || users.contains(caller.uid)
      || groups.contains(caller.gid) || caller.groups.contains(where: groups.contains)
      || others(caller, endpoint)
  }
}
