import CommandLineOptions
import VaultAPI
import WireCoding

// What opens a Nokē lock, and what the lock says to it.
extension Verb {
  static let nokeUnlock = Verb(
    "noke",
    Command(
      "unlock", summary: "makes the packet that opens a lock in one session",
      discussion: """
        SESSION is what the lock has shown right after it was connected to, 40 hexadecimal digits. A \
        session has one packet; with --request-id the same call gives it once more. Ten packets \
        are made at once, and then one a second.
        """,
      options: [
        .add(Options.nokeEmbedTime), .add(Options.nokeGeneration), .add(Options.nokeRequest),
      ],
      arguments: [
        .namespace, .lock, Command.Argument("SESSION", help: "what the lock has shown"),
      ],
      examples: [
        Command.Example(
          "vaultctl noke unlock demo/gate CB:BC:87:3B:CB:D7 \\\n"
            + "      0000040ba7b0d91f7f45ad25698a18375c7e4f16", "shows the packet")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    let params = NokeUnlockParams(
      namespace: try line.namespace(), mac: line.argument(1) ?? "",
      session: line.argument(2) ?? "", embedTime: line[Options.nokeEmbedTime],
      generation: line[Options.nokeGeneration], requestId: line[Options.nokeRequest])
    let result = try context.call(.nokeUnlock(params))
    return CommandOutput(json: result, blocks: [.fields(NokeView.packet(result))])
  }

  static let nokeReport = Verb(
    "noke",
    Command(
      "report", summary: "tells the vault what a lock has answered to a packet",
      discussion: """
        RESPONSE is 40 hexadecimal digits. Success makes a pending pair the active one; after a wrong \
        key the pair is shown as stale.
        """,
      arguments: [
        .namespace, .lock,
        Command.Argument("SESSION", help: "the session that the packet was for"),
        Command.Argument("RESPONSE", help: "what the lock has answered"),
      ],
      examples: [
        Command.Example(
          "vaultctl noke report demo/gate CB:BC:87:3B:CB:D7 \\\n"
            + "      0000040ba7b0d91f7f45ad25698a18375c7e4f16 \\\n"
            + "      5160010000000000000000000000000000000000", "reports success")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    let params = NokeReportParams(
      namespace: try line.namespace(), mac: line.argument(1) ?? "",
      session: line.argument(2) ?? "", response: line.argument(3) ?? "")
    let result = try context.call(.nokeReport(params))
    return CommandOutput(json: result, blocks: [.text(NokeView.report(result))])
  }
}
