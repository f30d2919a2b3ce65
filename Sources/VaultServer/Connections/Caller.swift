package import Glibc

/// Who the kernel says is at the other end of a connection; made by the listener alone.
package struct Caller: Hashable, Sendable {
  /// The effective user when it connected.
  package let uid: uid_t
  /// The effective group when it connected.
  package let gid: gid_t
  /// The supplementary groups when it connected.
  package let groups: [gid_t]
  /// The process that connected.
  ///
  /// The number may name another process once that one has ended.
  package let pid: pid_t

  /// Makes a caller; outside the listener only tests do.
  package init(uid: uid_t, gid: gid_t, groups: [gid_t], pid: pid_t) {
    self.uid = uid
    self.gid = gid
    self.groups = groups
    self.pid = pid
  }

  /// Whether the caller has a group, as its own or as a supplementary one.
  package func isMember(of group: gid_t) -> Bool {
    gid == group || groups.contains(group)
  }
}
