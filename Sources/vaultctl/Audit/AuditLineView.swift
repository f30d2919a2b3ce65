import VaultAPI
import WireCoding

/// A line of the audit log for people.
enum AuditLineView {
  /// What is told first, in words of their own.
  private static let told: Set<String> = [
    "seq", "time", "method", "namespace", "outcome", "code", "reason", "uid", "unit",
  ]
  /// What only programs need.
  private static let left: Set<String> = [
    "prev", "namespace_id", "detail_digest", "pid", "endpoint",
  ]

  /// The line: its number, time, method, namespace, what came of it, and who asked.
  static func text(_ line: JSONValue) -> String {
    let view = ResultView(line)
    var outcome = line["code"] == nil ? view["outcome"] : view["code"]
    if line["reason"] != nil { outcome += " (\(view["reason"]))" }
    var words = [
      view["seq"], view["time"], view["method"], view["namespace"], outcome, "uid \(view["uid"])",
    ]
    if line["unit"] != nil { words.append(view["unit"]) }
    for member in line.members ?? []
    where !told.contains(member.name) && !left.contains(member.name) {
      let value = ResultView.words(member.value)
      words.append(value == "yes" ? member.name : "\(member.name) \(value)")
    }
    return DisplayText.clean(words.joined(separator: "  "))
  }
}
