import VaultAPI
import WireCoding

/// The answers about flinkey users and boxes for people.
enum FlinkeyView {
  /// How a user stands, the token only when it is there.
  static func standing(_ result: JSONValue) -> OutputBlock {
    var all = fields(
      result, [("state", "state"), ("reason", "reason"), ("step", "step that is due")])
    if let milliseconds = result["leased_for_ms"]?.number {
      // Never shorter than it is.
      let seconds = milliseconds / 1_000 + (milliseconds % 1_000 > 0 ? 1 : 0)
      all.append(OutputBlock.Field(name: "in hand for", value: "\(seconds) s"))
    }
    all += fields(
      result,
      [
        ("expires", "expires"), ("tapkey_user", "Tapkey user"), ("box_id", "box"),
        ("physical_lock_id", "physical lock"), ("token", "token"),
      ])
    return .fields(all)
  }

  /// `flinkey.box_id`: the names, and what else was asked for.
  static func box(_ result: JSONValue) -> OutputBlock {
    var all = fields(
      result,
      [
        ("box_id", "box"), ("physical_lock_id", "physical lock"), ("command", "command"),
        ("command_time", "command time"),
      ])
    guard let feedback = result["feedback"] else { return .fields(all) }
    if let hundredths = feedback["battery_hundredths"]?.number {
      let rest = hundredths % 100
      all.append(
        OutputBlock.Field(
          name: "battery", value: "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"))
    }
    all += fields(
      feedback,
      [
        ("state", "state"), ("drawer_open", "drawer open"), ("drawer_unlocked", "drawer unlocked"),
        ("charging", "charging"), ("charger_connected", "charger connected"),
      ])
    for tag in feedback["nfc_tags"]?.elements ?? [] {
      all.append(OutputBlock.Field(name: "NFC tag", value: ResultView.words(tag)))
    }
    return .fields(all)
  }

  private static func fields(
    _ result: JSONValue, _ names: [(member: String, name: String)]
  ) -> [OutputBlock.Field] {
    names.compactMap { member, name in
      result[member].map { OutputBlock.Field(name: name, value: ResultView.words($0)) }
    }
  }
}
