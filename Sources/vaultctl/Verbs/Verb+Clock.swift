import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let clockAccept = Verb(
    "clock",
    Command(
      "accept", summary: "takes the machine's clock at its word, far ahead or not",
      discussion: """
        A clock that is more than a week ahead of what the vault knows is not believed: the time \
        that the vault knew goes on. See that the clock is right, then accept it. A clock that the \
        kernel calls synchronised is accepted by itself, after five minutes.
        """,
      examples: [
        Command.Example("vaultctl clock accept", "after the machine was off for a month")
      ])
  ) { context throws(CommandFailure) in
    let result = try context.call(.clockAccept)
    return CommandOutput(json: result, blocks: [ClockView.block(result)])
  }

  static let clockSetFloor = Verb(
    "clock",
    Command(
      "set-floor", summary: "comes back from a time that was wrong",
      discussion: """
        The vault's time is never before the newest time that it has recorded. If that was wrong, \
        set the machine's clock right, and then the floor to a time that is certainly past. What \
        had ended by the wrong time may be valid once more.
        """,
      arguments: [
        Command.Argument("TIME", help: "a time such as 2026-01-15T08:30:00Z, not after the clock")
      ],
      examples: [
        Command.Example(
          "vaultctl clock set-floor 2026-01-15T08:30:00Z", "lets time go on from there")
      ])
  ) { context throws(CommandFailure) in
    guard let time = try? Timestamp(context.line.argument(0) ?? "") else {
      throw .usage("TIME is a time such as 2026-01-15T08:30:00Z")
    }
    let result = try context.call(.clockSetFloor(ClockSetFloorParams(time: time)))
    return CommandOutput(json: result, blocks: [ClockView.block(result)])
  }
}
