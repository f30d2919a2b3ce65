import WireCoding

/// `presentation.match` for people.
enum MatchView {
  static func output(_ result: JSONValue) -> CommandOutput {
    var notes: [String] = []
    if result["more"]?.flag == true { notes.append("there may be more than these") }
    if result["connectable"]?.flag == false {
      notes.append("the reader offers no connection that the vault can use")
    }
    if result["matches"]?.elements?.isEmpty == true { notes.append("no pass is for this reader") }
    return CommandOutput(json: result, blocks: [.table(table(result))], notes: notes)
  }

  private static func table(_ result: JSONValue) -> Table {
    var table = Table(columns: [
      Table.Column(heading: "NAMESPACE"), Table.Column(heading: "READER GROUP"),
      Table.Column(heading: "VERIFIED"),
    ])
    table.rows = (result["matches"]?.elements ?? []).map { match in
      let view = ResultView(match)
      return [view["namespace"], view["reader_group"], view["verified"]]
    }
    return table
  }
}
