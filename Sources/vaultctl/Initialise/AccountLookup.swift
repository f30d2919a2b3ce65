import Glibc

/// Finds the numbers of accounts of this machine, wherever it keeps them.
enum AccountLookup {
  /// The uid of a user, `nil` when there is no such user.
  static func user(_ name: String) throws(CommandFailure) -> UInt32? {
    try unsafe look(name) { name, room, count in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwnam_r(name, &entry, room, count, &found)
      return unsafe (status, found == nil ? nil : entry.pw_uid)
    }
  }

  /// The gid of a group, `nil` when there is no such group.
  static func group(_ name: String) throws(CommandFailure) -> UInt32? {
    try unsafe look(name) { name, room, count in
      var entry = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      let status = unsafe getgrnam_r(name, &entry, room, count, &found)
      return unsafe (status, found == nil ? nil : entry.gr_gid)
    }
  }

  private static func look(
    _ name: String,
    _ query: (String, UnsafeMutablePointer<CChar>, Int) -> (status: Int32, number: UInt32?)
  ) throws(CommandFailure) -> UInt32? {
    // Long member lists need more room; a megabyte is more than any account has.
    var size = 16 << 10
    while size <= 1 << 20 {
      let answer = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { room in
        guard let base = room.baseAddress else { return (status: ENOMEM, number: UInt32?.none) }
        return unsafe query(name, base, room.count)
      }
      // Some sources of accounts tell of an unknown name by an error.
      guard answer.status == ERANGE else { return answer.number }
      size *= 2
    }
    throw CommandFailure(.failure, "the account cannot be looked up: its entry is too long")
  }
}
