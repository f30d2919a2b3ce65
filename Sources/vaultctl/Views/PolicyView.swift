import VaultAPI
import WireCoding

/// The answers of the policy's methods for people.
enum PolicyView {
  /// `policy.get`: the text alone, so that it can go into a file, and the rest beside it.
  static func text(_ result: JSONValue) -> CommandOutput {
    let text = result["policy"]?.text ?? ""
    // Tabs are the only controls that a policy can have.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { DisplayText.clean(String($0)) }.joined(separator: "\t")
    }
    return CommandOutput(
      json: result, notes: ["revision \(ResultView(result)["revision"])"] + unresolved(result),
      octets: Array(lines.joined(separator: "\n").utf8))
  }

  /// `policy.set`.
  static func change(_ result: JSONValue, isTrial: Bool) -> CommandOutput {
    let view = ResultView(result)
    let words =
      isTrial
      ? "the policy can replace revision \(view["revision"]); nothing is changed"
      : "revision \(view["revision"]) is in force (audit \(view["seq"]))"
    var notes = unresolved(result)
    if result["restrictive"]?.flag == true {
      notes.append(
        isTrial
          ? "it may take rights away"
          : "it may have taken rights away: calls under way that needed them are refused")
    }
    return CommandOutput(json: result, blocks: [.text([words])], notes: notes)
  }

  /// Rules that are for nobody, as their subjects are not there.
  private static func unresolved(_ result: JSONValue) -> [String] {
    (result["unresolved"]?.elements ?? []).map { subject in
      let view = ResultView(subject)
      return "line \(view["line"]): \(view["subject"]) is not there on the vault's machine"
    }
  }

  /// `policy.explain`.
  static func explanation(_ result: JSONValue) -> CommandOutput {
    let view = ResultView(result)
    let decision =
      result["allowed"]?.flag == true ? "allowed" : "denied (\(view["reason"]))"
    var fields = [
      OutputBlock.Field(name: "decision", value: decision),
      OutputBlock.Field(name: "why", value: view["words"]),
      OutputBlock.Field(name: "method", value: view["method"]),
    ]
    if result["namespace"] != nil {
      fields.append(OutputBlock.Field(name: "namespace", value: view["namespace"]))
    }
    fields += [
      OutputBlock.Field(name: "caller", value: caller(result["caller"])),
      OutputBlock.Field(name: "socket", value: view["socket"]),
      OutputBlock.Field(name: "policy", value: "revision \(view["revision"])"),
    ]
    if let recorded = result["recorded"] {
      fields.append(OutputBlock.Field(name: "recorded", value: record(recorded)))
    }
    let rules = result["rules"]?.elements ?? []
    let own = rules.filter { !lacks($0).contains("subject") }
    var blocks = [OutputBlock.fields(fields)]
    if !own.isEmpty { blocks += [.text([""]), table(own)] }
    let others = rules.count - own.count
    let note =
      others == 0
      ? [] : ["\(others) other \(others == 1 ? "rule is" : "rules are") not for the caller"]
    return CommandOutput(json: result, blocks: blocks, notes: note)
  }

  private static func table(_ rules: [JSONValue]) -> OutputBlock {
    var table = Table(columns: [
      Table.Column(heading: "LINE", isNumeric: true), Table.Column(heading: "LACKS"),
      Table.Column(heading: "RULE", mayShrink: true),
    ])
    for rule in rules {
      let view = ResultView(rule)
      let missing = lacks(rule).joined(separator: " ")
      table.rows.append([view["line"], missing.isEmpty ? "nothing" : missing, view["rule"]])
    }
    return .table(table)
  }

  private static func lacks(_ rule: JSONValue) -> [String] {
    (rule["lacks"]?.elements ?? []).compactMap(\.text)
  }

  private static func caller(_ value: JSONValue?) -> String {
    guard let value else { return "-" }
    let view = ResultView(value)
    var parts = ["uid \(view["uid"])"]
    if let groups = value["groups"]?.elements, !groups.isEmpty {
      parts.append("groups \(view["groups"])")
    }
    if value["unit"] != nil { parts.append("unit \(view["unit"])") }
    return parts.joined(separator: ", ")
  }

  private static func record(_ value: JSONValue) -> String {
    let view = ResultView(value)
    var text = "\(view["time"]), audit \(view["seq"]): "
    text += value["code"] == nil ? "done" : view["code"]
    if value["reason"] != nil { text += " (\(view["reason"]))" }
    if value["revision"] != nil { text += ", by revision \(view["revision"])" }
    return text
  }
}
