import AccessPolicy
import Glibc
import Synchronization

/// The accounts of this machine, wherever it keeps them; asking may take long.
package struct SystemAccounts: AccountSource {
  /// Long member lists need room; an entry that is longer counts as none.
  private static let mostRoom = 1 << 20

  /// The accounts.
  package init() {}

  /// The number that stands for users of other user namespaces; nobody may be taken for it.
  package static let overflowUser: UInt32 = {
    var text = [UInt8](repeating: 0, count: 16)
    let file = unsafe open("/proc/sys/kernel/overflowuid", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 65534 }
    defer { close(file) }
    let count = unsafe read(file, &text, text.count)
    guard count > 0 else { return 65534 }
    let digits = String(decoding: text[..<count], as: UTF8.self).prefix { $0.isNumber }
    return UInt32(digits) ?? 65534
  }()

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
    guard let account = Self.account(number) else { return [] }
    var groups = [UInt32](repeating: 0, count: 65_536)
    var count = Int32(groups.count)
    guard unsafe getgrouplist(account.name, account.group, &groups, &count) >= 0 else {
      return [account.group]
    }
    let others = groups.prefix(Int(count)).filter { $0 != account.group }
    return [account.group] + others
  }

  package func canConnect(user number: UInt32) -> Bool {
    number != Self.overflowUser && number != .max && Self.account(number) != nil
  }

  package func hasMember(group number: UInt32) -> Bool {
    let listed: [String]? = unsafe Self.look { room, count in
      var entry = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      let status = unsafe getgrgid_r(number, &entry, room, count, &found)
      guard var member = unsafe found?.pointee.gr_mem else { return (status, nil) }
      var names: [String] = []
      while let name = unsafe member.pointee {
        names.append(unsafe String(cString: name))
        unsafe member += 1
      }
      return (status, names)
    }
    if listed?.contains(where: { user(named: $0).map(canConnect) ?? false }) ?? false {
      return true
    }
    return hasUser(ofGroup: number)
  }

  /// Whether it is any account's own group: its members need not list it.
  private func hasUser(ofGroup number: UInt32) -> Bool {
    Self.enumeration.withLock { _ in
      setpwent()
      defer { endpwent() }
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64 << 10) { room in
        guard let base = room.baseAddress else { return false }
        while unsafe getpwent_r(&entry, base, room.count, &found) == 0, let account = unsafe found {
          if unsafe account.pointee.pw_gid == number,
            unsafe account.pointee.pw_uid != Self.overflowUser
          {
            return true
          }
        }
        return false
      }
    }
  }

  /// The place in the list of all accounts is one for the whole process.
  private static let enumeration = Mutex(())

  private static func account(_ number: UInt32) -> (name: String, group: UInt32)? {
    unsafe look { room, count in
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwuid_r(number, &entry, room, count, &found)
      guard let account = unsafe found?.pointee, let name = unsafe account.pw_name else {
        return (status, nil)
      }
      return unsafe (status, (String(cString: name), account.pw_gid))
    }
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
