import WireCoding

/// What an access document allows, for people: a line for each rule and each schedule, which the
/// rules name by its number from 1.
enum AccessView {
  static func blocks(_ elements: [JSONValue]) -> [OutputBlock] {
    guard !elements.isEmpty else { return [] }
    var table = Table(columns: [
      Table.Column(heading: "ELEMENT"), Table.Column(heading: "ID"), Table.Column(heading: "PART"),
      Table.Column(heading: "IN WORDS"),
    ])
    table.rows = elements.flatMap(rows)
    return [.text([""]), .table(table)]
  }

  private static func rows(_ element: JSONValue) -> [[String]] {
    let view = ResultView(element)
    var parts = (element["rules"]?.elements ?? []).map { ["rule", ResultView.words($0)] }
    for (index, schedule) in (element["schedules"]?.elements ?? []).enumerated() {
      parts.append(["schedule \(index + 1)", ResultView.words(schedule)])
    }
    if element["reader_rule_ids"]?.elements?.isEmpty == false {
      parts.append(["reader rules", view["reader_rule_ids"]])
    }
    if parts.isEmpty { parts = [["-", "nothing"]] }
    // What stays the same down the lines is shown once.
    return parts.enumerated().map { index, part in
      (index == 0 ? [view["element"], view["id"]] : ["", ""]) + part
    }
  }
}
