package import AccessPolicy
import Glibc

/// Decides who may connect at all; what they may do is the service's matter.
package struct Admission: Sendable {
  private let owner: UInt32
  private let users: Set<UInt32>
  private let groups: Set<UInt32>
  private let adminUsers: Set<UInt32>
  private let adminGroups: Set<UInt32>
  private let others: @Sendable (Caller, Endpoint) -> Bool
  private let revision: @Sendable () -> UInt64

  /// Admits root, the daemon's own user, and whom the configuration or `others` names.
  ///
  /// - Parameters:
  ///   - configuration: holds the users and groups admitted always.
  ///   - owner: the daemon's own user.
  ///   - others: asked for everyone else, on the thread that accepts connections; for a vault, whether
  ///     the policy in force has the caller for a subject.
  ///   - revision: another number whenever `others` may answer otherwise than before.
  package init(
    _ configuration: Configuration, owner: UInt32 = geteuid(),
    others: @escaping @Sendable (Caller, Endpoint) -> Bool = { _, _ in false },
    revision: @escaping @Sendable () -> UInt64 = { 0 }
  ) {
    self.owner = owner
    users = configuration.allowedUsers
    groups = configuration.allowedGroups
    adminUsers = configuration.adminUsers
    adminGroups = configuration.adminGroups
    self.others = others
    self.revision = revision
  }

  /// What the configuration gives a caller, whether or not the vault is sealed.
  package func standing(of caller: Caller) -> Standing {
    if caller.uid == 0 || caller.uid == owner { return .administrator }
    if adminUsers.contains(caller.uid) || adminGroups.contains(where: caller.isMember) {
      return .administrator
    }
    let isNamed = users.contains(caller.uid) || groups.contains(where: caller.isMember)
    return isNamed ? .client : .unnamed
  }

  /// Another number whenever somebody who was refused might be admitted now.
  var changes: UInt64 { revision() }

  /// Whether a caller may connect.
  package func admits(_ caller: Caller, by endpoint: Endpoint) -> Bool {
    standing(of: caller).opens(endpoint) || others(caller, endpoint)
  }
}
