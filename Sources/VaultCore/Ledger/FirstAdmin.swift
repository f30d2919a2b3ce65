/// The first admin, a user or a group: whom the first policy grants everything.
///
/// Its text, `user:NAME`, `user:1000`, `group:NAME` or `group:1000`, is a subject of that policy; an
/// earlier release has stored it alone.
package struct FirstAdmin: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Checks a text.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "user" || parts[0] == "group",
      (1...64).contains(parts[1].utf8.count), Self.isName(parts[1].utf8)
    else { return nil }
    self.text = text
  }

  private static func isName(_ name: Substring.UTF8View) -> Bool {
    guard name.first != UInt8(ascii: "-") else { return false }
    return name.allSatisfy { octet in
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
