import AccessPolicy
import Glibc

/// The accounts of this machine, wherever it keeps them; asking may take long.
package struct SystemAccounts: AccountSource {
  /// Long member lists need room; an entry that is longer counts as none.
  private static let mostRoom = 1 << 20

  /// The accounts.
  package init() {}

  package func user(named name: String) -> UInt32? {
    unsafe Self.look { room, count in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwnam_r(name, &entry, room, count, &found)
      return unsafe (status, found?.pointee.pw_uid)
    }
  }

  package func group(named name: String) -> UInt32? {
    unsafe Self.look { room, count in
      var entry = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      let status = unsafe getgrnam_r(name, &entry, room, count, &found)
      return unsafe (status, found?.pointee.gr_gid)
    }
  }

  package func groups(ofUser number: UInt32) -> [UInt32] {
    let account: (name: String, group: UInt32)? = unsafe Self.look { room, count in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwuid_r(number, &entry, room, count, &found)
      guard let account = unsafe found?.pointee, let name = unsafe account.pw_name else {
        return (status, nil)
      }
      return unsafe (status, (String(cString: name), account.pw_gid))
    }
    guard let account else { return [] }
    var groups = [UInt32](repeating: 0, count: 65_536)
    var count = Int32(groups.count)
    guard unsafe getgrouplist(account.name, account.group, &groups, &count) >= 0 else {
      return [account.group]
    }
    let others = groups.prefix(Int(count)).filter { $0 != account.group }
    return [account.group] + others
  }

  private static func look<Value>(
    _ query: (UnsafeMutablePointer<CChar>, Int) -> (status: Int32, value: Value?)
  ) -> Value? {
    var size = 16 << 10
    while size <= mostRoom {
      let answer = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { room in
        guard let base = room.baseAddress else { return (status: ENOMEM, value: Value?.none) }
        return unsafe query(base, room.count)
      }
      // Some sources of accounts tell of an unknown name by an error.
      guard answer.status == ERANGE else { return answer.value }
      size *= 2
    }
    return nil
  }
}
