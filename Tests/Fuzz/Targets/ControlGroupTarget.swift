import VaultServer

extension FuzzTarget {
  /// Control groups of a process: a unit that is named is named by every path that counts, and
  /// nothing that is made below a unit passes for another.
  static let cgroup = FuzzTarget(
    "cgroup",
    words: [
      "0::", "1:name=systemd:", "2:cpu:", "/", "..", ".slice", ".service", ".scope", "_", "@", "\n",
      "system.slice/", "user@1000.service/", "\\x2d", " (deleted)",
    ]
  ) { input in
    let text = copy(input)
    let unit = ControlGroups.unit(in: text)
    require(unit == ControlGroupTarget.unit(in: text), "as the other reading has it")
    guard let unit else { return }
    let below = ControlGroupTarget.eachPath(of: text) { $0 == "/" ? $0 : $0 + "/other.service" }
    require(ControlGroups.unit(in: below) == unit, "what is made in a unit is the unit")
    let user = "/user.slice/user-1000.slice/user@1000.service"
    let inside = ControlGroupTarget.eachPath(of: text) { $0 == "/" ? $0 : user + $0 }
    require(ControlGroups.unit(in: inside) == "user@1000.service", "a user's tree is the user's")
    let outside = ControlGroupTarget.eachPath(of: text) { "/.." + $0 }
    require(ControlGroups.unit(in: outside) == nil, "what is outside has no unit")
  }
}

private enum ControlGroupTarget {
  /// The same question answered with regular expressions.
  static func unit(in octets: [UInt8]) -> String? {
    // Octets that no name of a unit has, in one that is a character of its own.
    let plain = octets.map { (0x20..<0x80).contains($0) || $0 == 0x0A ? $0 : 0x01 }
    guard let text = String(validating: plain, as: UTF8.self),
      text.wholeMatch(of: /(?:(?:0::|[0-9]{1,10}:[^:\n]+:)\/[^\n]*\n)+/) != nil
    else { return nil }
    var units: Set<String?> = []
    var kinds: [Substring] = []
    for line in text.matches(of: /(?:^|\n)([0-9]+:[^:\n]*):(\/[^\n]*)(?=\n)/) {
      let kind = line.output.1
      guard kind == "0:" || kind.hasSuffix(":name=systemd") else {
        // Hierarchy 0 has no controllers.
        if kind.hasPrefix("0:") { return nil }
        continue
      }
      if kind.hasPrefix("0:"), kind != "0:" { return nil }
      kinds.append(kind == "0:" ? "2" : "1")
      let path = line.output.2
      if path != "/" { units.insert(unit(at: path)) }
    }
    guard Set(kinds).count == kinds.count, units.count == 1 else { return nil }
    return units.first ?? nil
  }

  private static func unit(at path: Substring) -> String? {
    guard !path.contains("//"), !path.hasSuffix("/"),
      !path.split(separator: "/").contains(".."),
      let match = path.firstMatch(
        of:
          /^((?:\/(?>_?)[0-9A-Za-z:_.\\-]+\.slice)*)\/(?>_?)([0-9A-Za-z:_.\\@-]+\.(?:service|scope))(?=\/|$)/
      )
    else { return nil }
    let (slices, unit) = (match.output.1.split(separator: "/"), match.output.2)
    guard unit.utf8.count <= 255, unit.wholeMatch(of: /@.*|[^@]*@\.[a-z]*/) == nil else {
      return nil
    }
    guard slices.allSatisfy({ $0.trimmingPrefix(/_?/).utf8.count <= 255 }) else { return nil }
    return String(unit)
  }

  /// The text with each path exchanged.
  static func eachPath(of text: [UInt8], _ change: (String) -> String) -> [UInt8] {
    let lines = String(decoding: text, as: UTF8.self).unicodeScalars.split(separator: "\n")
    return lines.flatMap { line in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      let (start, path) = (fields[0...1].map { String($0) }, String(fields[2]))
      return Array("\(start[0]):\(start[1]):\(change(path))\n".utf8)
    }
  }
}
