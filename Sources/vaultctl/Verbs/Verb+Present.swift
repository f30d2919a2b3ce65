import CommandLineOptions

extension Verb {
  static let present = Verb(
    Command(
      "present", summary: "explains a transaction, step by step, with a simulated lock",
      discussion: """
        A lock and an issuer are made up for the run, with keys that are thrown away. The vault \
        makes a key and stores a pass for that lock, presents the credential, and deletes pass and \
        key again, also when something fails on the way or the run is interrupted (SIGINT, SIGTERM \
        or SIGHUP). A pass that somebody else stores meanwhile stays, with its key. Each message is \
        explained.

        NAMESPACE must have neither a presentation key nor a pass; it is made if there is none.
        """,
      options: [
        .add(Options.simulate), .add(Options.transport), .add(Options.intent),
        .add(Options.certificate), .add(Options.stepUp), .add(Options.fast), .add(Options.octets),
      ],
      arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl present demo/try --simulate", "opens a simulated lock over Bluetooth"),
        Command.Example(
          "vaultctl present demo/try --simulate --transport nfc --certificate \\\n"
            + "      --step-up --fast", "shows a certificate, step-up and the fast form over NFC"),
      ])
  ) { context throws(CommandFailure) in
    guard context.line[Options.simulate] == true else {
      throw .usage(
        "present needs --simulate: vaultctl has no radio to reach a lock with",
        hint: "a gateway presents to real locks; tools/ble-relay is one to begin with")
    }
    var simulation = try Simulation(context)
    return try simulation.run()
  }
}
