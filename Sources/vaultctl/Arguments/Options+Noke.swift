import CommandLineOptions
import VaultAPI
import WireCoding

extension Options {
  // Pairs of Nokē locks.

  static let nokeEnvironment = Option<LockEnvironment>.choice(
    "environment", value: "ENVIRONMENT",
    help: "which world the pair belongs to: sandbox or production", .required)
  static let nokeNotBefore = Option<Timestamp>(
    "not-before", value: "TIME", help: "the first second of the grant, as 2026-01-15T08:30:00Z",
    kind: "a time such as 2026-01-15T08:30:00Z"
  ) { try? Timestamp($0) }
  static let nokeNotAfter = Option<Timestamp>(
    "not-after", value: "TIME", help: "the last second of the grant",
    kind: "a time such as 2026-01-15T08:30:00Z"
  ) { try? Timestamp($0) }
  static let nokeWindow = Option<String>.text(
    "window", value: "WINDOW",
    help: "a time of the week at which the pair may be used, as 'mon,fri 22:00-06:00'; there may "
      + "be several", .repeated)
  static let nokeOffset = Option<Int>.number(
    "utc-offset", value: "MINUTES",
    help: "how many minutes the clock of the windows is ahead of UTC, 0 unless given",
    in: -720...840)
  static let nokeEmbedTime = Option<Bool>.flag(
    "embed-time", help: "puts the time into the packet")
  static let nokeGeneration = Option<NokePairState>.choice(
    "generation", value: "STATE", help: "which pair makes the packet: active, pending or former")
  static let nokeRequest = Option<String>.text(
    "request-id", value: "ID", help: "gives the same packet for the same request once more")
}
