import VaultAPI
import WireCoding

/// `status` for people.
enum StatusView {
  static func block(_ result: JSONValue) -> OutputBlock {
    let view = ResultView(result)
    let audit =
      switch result["audit"]?["available"]?.flag {
      case true: "available, last number \(view["audit", "seq"])"
      case false: "UNAVAILABLE, last number \(view["audit", "seq"])"
      default: "-"
      }
    // Only a vault that has found any tells of it; each is a line of its own.
    let damage = (result["damage"]?.elements ?? []).map {
      OutputBlock.Field(name: "DAMAGED", value: ResultView.words($0))
    }
    return .fields(
      damage + [
        OutputBlock.Field(name: "state", value: view["state"]),
        OutputBlock.Field(name: "vault", value: view["vault_id"]),
        OutputBlock.Field(name: "version", value: view["version"]),
        OutputBlock.Field(name: "started", value: view["started"]),
        OutputBlock.Field(name: "clock", value: view["clock"]),
        OutputBlock.Field(name: "audit", value: audit),
        OutputBlock.Field(name: "erasures pending", value: view["erasure_pending"]),
      ])
  }
}
