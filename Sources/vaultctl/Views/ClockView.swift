import VaultAPI
import WireCoding

/// The vault's time for people.
enum ClockView {
  /// What a change of it has led to.
  static func block(_ result: JSONValue) -> OutputBlock {
    let time = "the vault goes by \(ResultView(result)["clock"])"
    switch state(result) {
    case .held?: return .text([time + " still: the machine's clock is too far ahead of that"])
    case .behind?: return .text([time + ": the machine's clock is behind that"])
    case .certain?, nil: return .text([time])
    }
  }

  /// What is wrong with the machine's clock, and what to do; `nil` when nothing is.
  static func trouble(_ status: JSONValue) -> String? {
    switch state(status) {
    case .held?:
      return "the clock is \(lead(status, 1)) ahead of what the vault knows: "
        + "run `vaultctl clock accept` when it is right"
    case .behind?:
      return "the clock is \(lead(status, -1)) behind what the vault has recorded: "
        + "set it, or see `vaultctl clock set-floor --help`"
    case .certain?, nil: return nil
    }
  }

  private static func state(_ result: JSONValue) -> ClockState? {
    result["clock_state"]?.text.flatMap { ClockState(rawValue: $0) }
  }

  /// How far the machine's clock is ahead, or behind, in the unit that suits it.
  private static func lead(_ status: JSONValue, _ direction: Int64) -> String {
    guard let machine = time(status, "machine_clock"), let vault = time(status, "clock") else {
      return "far"
    }
    // Both are of the years that can be written, so that nothing overflows.
    let seconds = max((machine.seconds - vault.seconds) * direction, 0)
    let units: [(seconds: Int64, name: String)] = [
      (86_400, "day"), (3_600, "hour"), (60, "minute"),
    ]
    let unit = units.first { seconds >= $0.seconds } ?? (1, "second")
    let count = seconds / unit.seconds
    return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
  }

  private static func time(_ result: JSONValue, _ name: String) -> Timestamp? {
    result[name]?.text.flatMap { try? Timestamp($0) }
  }
}
