package import Glibc

/// Finds users and groups by name or number.
package enum NameLookup {
  /// The user with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal.
  /// - Returns: its number, `nil` when there is no such user or the number is reserved.
  package static func user(_ text: String) -> uid_t? {
    if let number = number(text) { return number }
    var room = [CChar](repeating: 0, count: 16 << 10)
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard unsafe getpwnam_r(text, &entry, &room, room.count, &found) == 0 else { return nil }
    return unsafe found?.pointee.pw_uid
  }

  /// The group with a name or number.
  ///
  /// - Parameter text: the name, or the number in decimal.
  /// - Returns: its number, `nil` when there is no such group or the number is reserved.
  package static func group(_ text: String) -> gid_t? {
    if let number = number(text) { return number }
    var room = [CChar](repeating: 0, count: 64 << 10)
    var entry = unsafe Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    guard unsafe getgrnam_r(text, &entry, &room, room.count, &found) == 0 else { return nil }
    return unsafe found?.pointee.gr_gid
  }

  /// All bits set means "no one" to the kernel.
  private static func number(_ text: String) -> UInt32? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(text),
      number != .max
    else { return nil }
    return number
  }
}
