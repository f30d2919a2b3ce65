import VaultAPI
import WireCoding

/// JSON values as text, on one line for programs and indented for people.
enum JSONText {
  /// On one line, without spaces.
  static func compact(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    value.encode(into: &writer)
    return writer.bytes
  }

  /// Indented by two spaces, empty objects and arrays on one line.
  static func indented(_ value: JSONValue) -> [String] {
    var lines: [String] = []
    append(value, prefix: "", depth: 0, suffix: "", to: &lines)
    return lines
  }

  private static func append(
    _ value: JSONValue, prefix: String, depth: Int, suffix: String, to lines: inout [String]
  ) {
    let margin = String(repeating: "  ", count: depth)
    switch value {
    case .object(let members) where !members.isEmpty:
      lines.append(margin + prefix + "{")
      for (index, member) in members.enumerated() {
        append(
          member.value, prefix: text(.string(member.name)) + ": ", depth: depth + 1,
          suffix: index + 1 < members.count ? "," : "", to: &lines)
      }
      lines.append(margin + "}" + suffix)
    case .array(let elements) where !elements.isEmpty:
      lines.append(margin + prefix + "[")
      for (index, element) in elements.enumerated() {
        append(
          element, prefix: "", depth: depth + 1, suffix: index + 1 < elements.count ? "," : "",
          to: &lines)
      }
      lines.append(margin + "]" + suffix)
    default:
      lines.append(margin + prefix + text(value) + suffix)
    }
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: compact(value), as: UTF8.self)
  }
}
