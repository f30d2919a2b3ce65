import VaultAPI
import WireCoding

/// The answers about Nokē locks for people.
enum NokeView {
  /// `noke.store`: what became of the pair.
  static func stored(_ result: JSONValue) -> String {
    let view = ResultView(result)
    let isKnown = result["stored"]?.flag == false
    return "generation \(view["generation"]) is \(view["state"])"
      + (isKnown ? " already; its limits are those of this call" : "")
      + ", fingerprint \(view["fingerprint"])"
  }

  /// `noke.info`: the pairs of a lock, or the locks.
  static func blocks(_ result: JSONValue) -> [OutputBlock] {
    guard let lock = result["lock"] else {
      var table = Table(columns: [Table.Column(heading: "LOCK")])
      table.rows = (result["locks"]?.elements ?? []).map { [ResultView.words($0)] }
      return [.table(table)]
    }
    let view = ResultView(lock)
    let fields = [
      OutputBlock.Field(name: "lock", value: view["mac"]),
      OutputBlock.Field(name: "environment", value: view["environment"]),
    ]
    let pairs = lock["pairs"]?.elements ?? []
    let schedules = pairs.compactMap { pair in
      pair["schedule"].map { schedule in
        OutputBlock.Field(
          name: "schedule of \(ResultView(pair)["generation"])", value: words(schedule: schedule))
      }
    }
    return [.fields(fields + schedules), .table(table(pairs))]
  }

  private static func table(_ pairs: [JSONValue]) -> Table {
    var table = Table(columns: [
      Table.Column(heading: "PAIR", isNumeric: true), Table.Column(heading: "STATE"),
      Table.Column(heading: "USABLE"), Table.Column(heading: "SUCCESSES", isNumeric: true),
      Table.Column(heading: "STORED"), Table.Column(heading: "NOT BEFORE"),
      Table.Column(heading: "NOT AFTER"), Table.Column(heading: "FINGERPRINT"),
    ])
    table.rows = pairs.map { pair in
      let view = ResultView(pair)
      let state = view["state"] + (pair["stale"]?.flag == true ? ", stale" : "")
      let usable = pair["usable"]?.flag == true ? "yes" : "no: \(view["reason"])"
      return [
        view["generation"], state, usable, view["successes"], view["stored"], view["not_before"],
        view["not_after"], view["fingerprint"],
      ]
    }
    return table
  }

  private static func words(schedule: JSONValue) -> String {
    let windows = (schedule["windows"]?.elements ?? []).map(ResultView.words)
    let minutes = schedule["utc_offset_minutes"]?.number ?? 0
    let clock =
      minutes == 0 ? "UTC" : "\(minutes.magnitude) min \(minutes > 0 ? "ahead of" : "behind") UTC"
    return windows.joined(separator: "; ") + " (\(clock))"
  }

  /// `noke.unlock`: the packet and what goes with it.
  static func packet(_ result: JSONValue) -> [OutputBlock.Field] {
    let view = ResultView(result)
    let isEmbedded = result["embedded"]?.flag == true
    return [
      OutputBlock.Field(name: "packet", value: view["packet"]),
      OutputBlock.Field(
        name: "time", value: view["time"] + (isEmbedded ? ", in the packet" : "")),
      OutputBlock.Field(name: "battery", value: "\(view["battery_mv"]) mV"),
      OutputBlock.Field(name: "pair", value: "\(view["generation"]), \(view["state"])"),
    ]
      + (result["repeated"]?.flag == true
        ? [OutputBlock.Field(name: "repeated", value: "yes")] : [])
  }

  /// `noke.report`: what the lock said, and what came of it.
  static func report(_ result: JSONValue) -> [String] {
    let view = ResultView(result)
    let word = view["result"].replacing("_", with: " ")
    let state = result["lock_state"].map { ": \(ResultView.words($0))" } ?? ""
    let pair = "pair \(view["generation"])"
    var lines = [word + state.replacing("_", with: " ")]
    if result["promoted"]?.flag == true { lines.append("\(pair) is the active one now") }
    if result["stale"]?.flag == true {
      lines.append("\(pair) is stale: store a fresh one, or ask for another one")
    }
    return lines
  }

  /// `noke.promote` and `noke.demote`: which pair is what.
  static func rotation(_ result: JSONValue) -> [OutputBlock.Field] {
    let view = ResultView(result)
    let former = result["former"]?.elements ?? []
    return [
      OutputBlock.Field(name: "active", value: view["active"]),
      OutputBlock.Field(name: "pending", value: view["pending"]),
      OutputBlock.Field(name: "former", value: former.isEmpty ? "-" : view["former"]),
    ]
  }
}
