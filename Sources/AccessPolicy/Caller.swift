/// Who made a call, as the kernel says; made by the listener alone.
package struct Caller: Hashable, Sendable {
  /// The effective user when it connected.
  package let uid: UInt32
  /// The effective group when it connected.
  package let gid: UInt32
  /// The supplementary groups when it connected.
  package let groups: [UInt32]
  /// The process that connected.
  ///
  /// The number may name another process once that one has ended.
  package let pid: Int32
  /// The systemd unit of that process, such as `gateway.service`; `nil` when it has none, or when it
  /// could not be told beyond doubt.
  package let unit: String?

  /// Makes a caller; outside the listener only tests do.
  package init(uid: UInt32, gid: UInt32, groups: [UInt32], pid: Int32, unit: String? = nil) {
    self.uid = uid
    self.gid = gid
    self.groups = groups
    self.pid = pid
    self.unit = unit
  }

  /// Nobody in particular: whom the kernel does not name, in the audit log.
  package static let unknown = Caller(uid: .max, gid: .max, groups: [], pid: 0)

  /// Whether the caller has a group, as its own or as a supplementary one.
  package func isMember(of group: UInt32) -> Bool {
    gid == group || groups.contains(group)
  }
}
