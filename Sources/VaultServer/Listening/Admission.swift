package import AccessPolicy
package import Glibc

/// Decides who may connect at all; what they may do is the service's matter.
package struct Admission: Sendable {
  private let owner: uid_t
  private let users: Set<uid_t>
  private let groups: Set<gid_t>
  private let adminUsers: Set<uid_t>
  private let adminGroups: Set<gid_t>
  private let others: @Sendable (Caller, Endpoint) -> Bool

  /// Admits root, the daemon's own user, and whom the configuration or `others` names.
  ///
  /// Gateways and consoles (`allow-uid`, `allow-gid`) do not get to the admin socket.
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
    adminUsers = configuration.adminUsers
    adminGroups = configuration.adminGroups
    self.others = others
  }

  /// Whether a caller may connect.
  package func admits(_ caller: Caller, by endpoint: Endpoint) -> Bool {
    if caller.uid == 0 || caller.uid == owner { return true }
    if adminUsers.contains(caller.uid) || adminGroups.contains(where: caller.isMember) {
      return true
    }
    let isClient = users.contains(caller.uid) || groups.contains(where: caller.isMember)
    return endpoint == .client && isClient || others(caller, endpoint)
  }
}
