import VaultAPI
import WireCoding

/// `status` for people.
enum StatusView {
  static func block(_ result: JSONValue) -> OutputBlock {
    let view = ResultView(result)
    // Only a vault that has found any tells of it; each is a line of its own.
    let damage = (result["damage"]?.elements ?? []).map {
      OutputBlock.Field(name: "DAMAGED", value: ResultView.words($0))
    }
    let clock =
      ClockView.trouble(result).map { [OutputBlock.Field(name: "CLOCK", value: $0)] } ?? []
    return .fields(
      damage + clock + [
        OutputBlock.Field(name: "state", value: view["state"]),
        OutputBlock.Field(name: "vault", value: view["vault_id"]),
        OutputBlock.Field(name: "version", value: view["version"]),
        OutputBlock.Field(name: "started", value: view["started"]),
        OutputBlock.Field(name: "clock", value: view["clock"]),
        OutputBlock.Field(name: "audit", value: audit(result)),
      ] + checkpoints(result) + [
        OutputBlock.Field(name: "erasures pending", value: view["erasure_pending"])
      ])
  }

  /// How the audit log stands, on one line.
  private static func audit(_ result: JSONValue) -> String {
    let view = ResultView(result)
    var text: String
    switch result["audit"]?["available"]?.flag {
    case true: text = "available, last number \(view["audit", "seq"])"
    case false: text = "UNAVAILABLE, last number \(view["audit", "seq"])"
    default: return "-"
    }
    if let lag = result["audit"]?["lag"]?.number, lag > 0 { text += ", \(lag) not in the log yet" }
    if result["audit"]?["segment_error"] != nil {
      text += ", THE LOG CANNOT BE WRITTEN (\(view["audit", "segment_error"]))"
    }
    return text
  }

  /// What vouches for the log, as far as there is anything.
  private static func checkpoints(_ result: JSONValue) -> [OutputBlock.Field] {
    let view = ResultView(result)
    var fields: [OutputBlock.Field] = []
    if result["audit"]?["checkpoint"] != nil {
      let trouble =
        result["audit"]?["anchor_error"] == nil
        ? "" : ", NOT KEPT AT THE ANCHOR (\(view["audit", "anchor_error"]))"
      fields.append(
        OutputBlock.Field(
          name: "checkpoint", value: "number \(view["audit", "checkpoint"])" + trouble))
    }
    if result["audit"]?["key"] != nil {
      fields.append(OutputBlock.Field(name: "checkpoint key", value: view["audit", "key"]))
    }
    return fields
  }
}
