import CommandLineOptions
import VaultAPI
import WireCoding

// The pairs of Nokē locks; what opens a lock is in `Verb+NokeSessions`.
extension Verb {
  static let nokeStore = Verb(
    "noke",
    Command(
      "store", summary: "keeps a pair of offline key and unlock command for a lock",
      discussion: """
        FILE holds the 32 hexadecimal digits of the key and then the 40 of the command, with blanks \
        or line ends around them; without it the terminal is asked, without echo. The first pair of \
        a lock is active. A later one is pending until the lock has answered success to it, and the \
        active one stays in use.
        """,
      options: [
        .add(Options.nokeEnvironment), .add(Options.nokeNotBefore), .add(Options.nokeNotAfter),
        .add(Options.nokeWindow), .add(Options.nokeOffset),
      ],
      arguments: [
        .namespace, .lock,
        Command.Argument("FILE", help: "the pair; - is standard input", isOptional: true),
      ],
      examples: [
        Command.Example(
          "vaultctl noke store demo/gate CB:BC:87:3B:CB:D7 pair.txt \\\n"
            + "      --environment production",
          "stores a pair"),
        Command.Example(
          "vaultctl noke store demo/gate CB:BC:87:3B:CB:D7 --environment production \\\n"
            + "      --not-after 2026-12-31T23:59:59Z --window 'mon,tue 08:00-17:00'",
          "asks for a pair that has limits"),
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    let name = try line.namespace()
    guard let environment = line[Options.nokeEnvironment] else {
      throw .usage("--environment ENVIRONMENT is missing")
    }
    let windows = line.all(Options.nokeWindow)
    let offset = line[Options.nokeOffset].map { Int64($0) }
    guard !windows.isEmpty || offset == nil else {
      throw .usage("--utc-offset is for windows: give --window as well")
    }
    let pair = try NokePairInput(line.argument(2))
    let params = NokeStoreParams(
      namespace: name, mac: line.argument(1) ?? "", offlineKey: pair.offlineKey,
      unlockCommand: pair.unlockCommand, environment: environment,
      notBefore: line[Options.nokeNotBefore], notAfter: line[Options.nokeNotAfter],
      schedule: windows.isEmpty
        ? nil : WeeklySchedule(windows: windows, utcOffsetMinutes: offset))
    let result = try context.call(.nokeStore(params))
    return CommandOutput(json: result, blocks: [.text([NokeView.stored(result)])])
  }

  static let nokeInfo = Verb(
    "noke",
    Command(
      "info", summary: "shows the pairs of a lock, or lists the locks of a namespace",
      arguments: [
        .namespace, Command.Argument("MAC", help: "the address of the lock", isOptional: true),
      ],
      examples: [
        Command.Example("vaultctl noke info demo/gate CB:BC:87:3B:CB:D7", "shows its pairs"),
        Command.Example("vaultctl noke info demo/gate", "lists the locks"),
      ])
  ) { context throws(CommandFailure) in
    let params = NokeInfoParams(
      namespace: try context.line.namespace(), mac: context.line.argument(1))
    let result = try context.call(.nokeInfo(params))
    return CommandOutput(json: result, blocks: NokeView.blocks(result))
  }

  static let nokePromote = Verb(
    "noke",
    Command(
      "promote", summary: "makes the pending pair of a lock the active one",
      discussion: """
        The vault does so by itself when the lock has answered success to the pending pair. The \
        former pair is kept for 30 days and until the lock has answered success in a second session.
        """,
      arguments: [.namespace, .lock],
      examples: [
        Command.Example("vaultctl noke promote demo/gate CB:BC:87:3B:CB:D7", "promotes it")
      ])
  ) { context throws(CommandFailure) in
    let result = try context.call(.nokePromote(try .init(context)))
    return CommandOutput(json: result, blocks: [.fields(NokeView.rotation(result))])
  }

  static let nokeDemote = Verb(
    "noke",
    Command(
      "demote", summary: "makes the former pair of a lock the active one again",
      discussion: """
        The active pair becomes pending, or former where there is a pending one already. A former \
        pair that the lock has refused, or whose grant is over, is passed over.
        """,
      arguments: [.namespace, .lock],
      examples: [Command.Example("vaultctl noke demote demo/gate CB:BC:87:3B:CB:D7", "goes back")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.nokeDemote(try .init(context)))
    return CommandOutput(json: result, blocks: [.fields(NokeView.rotation(result))])
  }

  static let nokeDelete = Verb(
    "noke",
    Command(
      "delete", summary: "erases all pairs of a lock",
      discussion: "The lock itself knows nothing of it: a copy of a pair still opens it.",
      arguments: [.namespace, .lock],
      examples: [Command.Example("vaultctl noke delete demo/gate CB:BC:87:3B:CB:D7", "erases them")]
    )
  ) { context throws(CommandFailure) in
    let result = try context.call(.nokeDelete(try .init(context)))
    let words = result["deleted"]?.flag == true ? "the pairs are erased" : "there was no pair"
    return CommandOutput(json: result, blocks: [.text([words])])
  }
}

extension Command.Argument {
  /// The address of a lock.
  static let lock = Command.Argument("MAC", help: "the address of the lock")
}

extension NokeLockParams {
  /// The namespace and the lock that are the arguments.
  fileprivate init(_ context: CallContext) throws(CommandFailure) {
    self.init(
      namespace: try context.line.namespace(), mac: context.line.argument(1) ?? "")
  }
}
