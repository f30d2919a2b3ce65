/// Reads `/proc/PID/cgroup`, which tells the place of a process in each hierarchy of control groups.
///
/// cgroups(7) has its form: `HIERARCHY:CONTROLLERS:PATH` lines.
package enum ControlGroups {
  /// The paths in the two hierarchies that systemd keeps its units in; where both are there, both
  /// are kept alike.
  private struct Places {
    /// Version 2, `0::PATH`.
    var unified: ArraySlice<UInt8>?
    /// Version 1, `N:name=systemd:PATH`.
    var named: ArraySlice<UInt8>?
  }

  /// The systemd unit that a process is in.
  ///
  /// A user may own a part of the tree, and make groups of any name in it: systemd delegates
  /// `user@1000.service` to user 1000. So the unit is the *first* service or scope on the path, with
  /// nothing but slices before it, which systemd never delegates.
  ///
  /// - Parameter text: the whole file.
  /// - Returns: the unit, such as `gateway.service`; `nil` when the process is in no service or
  ///   scope, is outside the daemon's part of the tree, or when anything about the text is odd.
  package static func unit(in text: [UInt8]) -> String? {
    guard let places = places(in: text) else { return nil }
    // A hierarchy that systemd does not use has every process at its root, which says nothing.
    let told = [places.unified, places.named].compactMap { $0 }.filter { $0.count > 1 }
    guard let first = told.first, let unit = unit(at: first) else { return nil }
    return told.allSatisfy { Self.unit(at: $0) == unit } ? unit : nil
  }

  private static func places(in text: [UInt8]) -> Places? {
    guard text.last == newline else { return nil }
    var places = Places()
    for line in text.dropLast().split(separator: newline, omittingEmptySubsequences: false) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].first == UInt8(ascii: "/"), isNumber(fields[0]) else {
        return nil
      }
      let isUnified = fields[0].elementsEqual("0".utf8)
      // Only version 2 has no controllers in this text.
      guard isUnified == fields[1].isEmpty else { return nil }
      if isUnified {
        guard places.unified == nil else { return nil }
        places.unified = fields[2]
      } else if fields[1].elementsEqual("name=systemd".utf8) {
        guard places.named == nil else { return nil }
        places.named = fields[2]
      }
    }
    return places
  }

  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    (1...10).contains(field.count)
      && field.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The first unit on a path below the root.
  private static func unit(at path: ArraySlice<UInt8>) -> String? {
    let groups = path.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // `/..` stands for what is outside the control group namespace of the daemon.
    guard !groups.contains(where: { $0.isEmpty || $0.elementsEqual("..".utf8) }),
      let first = groups.first(where: { !UnitName.isSlice($0) })
    else { return nil }
    return UnitName.unit(of: first)
  }
}
