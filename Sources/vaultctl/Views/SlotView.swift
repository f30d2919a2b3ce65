import VaultAPI
import WireCoding

/// `slot.list` for people.
enum SlotView {
  static func block(_ result: JSONValue) -> OutputBlock {
    var table = Table(columns: [
      Table.Column(heading: "SLOT", isNumeric: true), Table.Column(heading: "KIND"),
      Table.Column(heading: "LABEL", mayShrink: true), Table.Column(heading: "CREATED"),
      Table.Column(heading: "ARGON2ID"),
    ])
    for slot in result["slots"]?.elements ?? [] {
      let view = ResultView(slot)
      table.rows.append([
        view["slot"], view["kind"], view["label"], view["created"], cost(slot["argon2"]),
      ])
    }
    return .table(table)
  }

  private static func cost(_ argon2: JSONValue?) -> String {
    guard let passes = argon2?["operations"]?.number, let memory = argon2?["memory_kib"]?.number
    else { return "-" }
    return "\(passes) x \(memory / 1024) MiB"
  }
}
