import WireCoding

/// `namespace.get` and `namespace.list` for people.
enum NamespaceView {
  static func blocks(_ result: JSONValue) -> [OutputBlock] {
    let view = ResultView(result)
    let fields = OutputBlock.fields([
      OutputBlock.Field(name: "namespace", value: view["namespace"]),
      OutputBlock.Field(name: "id", value: view["id"]),
      OutputBlock.Field(name: "state", value: view["state"]),
      OutputBlock.Field(name: "generation", value: view["generation"]),
      OutputBlock.Field(name: "created", value: view["created"]),
      OutputBlock.Field(name: "pass", value: view["pass"]),
      OutputBlock.Field(
        name: "user confirmation",
        value: result["user_confirmation"]?.flag.map {
          UserConfirmation(isAllowed: $0).participle
        } ?? "-"),
    ])
    guard let keys = result["keys"]?.elements, !keys.isEmpty else { return [fields] }
    var table = Table(columns: [
      Table.Column(heading: "KEY"), Table.Column(heading: "VERSION", isNumeric: true),
      Table.Column(heading: "STATE"),
    ])
    table.rows = keys.map { key in
      let view = ResultView(key)
      return [view["purpose"], view["version"], view["state"]]
    }
    return [fields, .text([""]), .table(table)]
  }

  static func list(_ result: JSONValue) -> OutputBlock {
    var table = Table(columns: [
      Table.Column(heading: "NAMESPACE"), Table.Column(heading: "STATE"),
      Table.Column(heading: "ID", mayShrink: true),
    ])
    table.rows = (result["namespaces"]?.elements ?? []).map { entry in
      let view = ResultView(entry)
      return [view["namespace"], view["state"], view["id"]]
    }
    return .table(table)
  }
}
