/// Tells which control groups systemd has made for a unit.
///
/// The rules are those of systemd's own reading (`unit_name_is_valid` and `cg_unescape`); what it
/// would not have written is no unit here either.
enum UnitName {
  /// The kinds of unit that processes run in; no other kind has a control group of its own.
  private static let processKinds: Set<[UInt8]> = [Array("service".utf8), Array("scope".utf8)]
  private static let slice = Array("slice".utf8)
  private static let limit = 255

  /// The unit that a control group is named after.
  ///
  /// - Parameter group: one component of a path.
  /// - Returns: the unit, such as `gateway.service` or `getty@tty1.service`; `nil` when it is none,
  ///   or a slice.
  static func unit(of group: some Collection<UInt8>) -> String? {
    let name = unescaped(group)
    guard let (stem, kind) = parts(name), processKinds.contains(kind) else { return nil }
    if let at = stem.firstIndex(of: UInt8(ascii: "@")) {
      // Neither a template nor a name that is all instance.
      guard at != 0, at + 1 < stem.count else { return nil }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a control group is a slice, which groups units.
  static func isSlice(_ group: some Collection<UInt8>) -> Bool {
    guard let (stem, kind) = parts(unescaped(group)), kind == slice else { return false }
    return !stem.contains(UInt8(ascii: "@"))
  }

  /// Takes off the underscore that keeps units apart from the files of a control group.
  private static func unescaped(_ group: some Collection<UInt8>) -> [UInt8] {
    Array(group.first == UInt8(ascii: "_") ? group.dropFirst() : group[...])
  }

  /// What is before the last point, and behind it.
  private static func parts(_ name: [UInt8]) -> (stem: [UInt8], kind: [UInt8])? {
    guard name.count <= limit, name.allSatisfy(isAllowed),
      let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0
    else { return nil }
    return (Array(name[..<point]), Array(name[(point + 1)...]))
  }

  private static func isAllowed(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: ":-_.\\@".utf8.contains(octet)
    }
  }
}
