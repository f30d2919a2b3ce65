import CommandLineOptions
import VaultAPI
import WireCoding

// The requests of an installation of an app to Biqli.
extension Verb {
  static let biqliBegin = Verb(
    "biqli",
    Command(
      "begin", summary: "gives the request that is to be sent, which is stored",
      discussion: """
        It is the pending one as it is, or a new one. The body may hold a handoff token; with --out \
        it is written to a new file that only you can read.
        """,
      options: [
        .add(Options.biqliPlatform), .add(Options.biqliSystem), .add(Options.biqliSDK),
        .add(Options.biqliVersion), .add(Options.biqliDomain), .add(Options.biqliProbabilistic),
        .add(Options.biqliBody),
      ],
      arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl biqli begin demo/app/1 --platform ios --os-version 19 \\\n"
            + "      --sdk-version 1.0.0 --out body.json", "writes the body to send")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    guard let platform = line[Options.biqliPlatform] else {
      throw .usage("--platform PLATFORM is missing")
    }
    let target = line[Options.biqliBody]
    if let target, target != "-" { try FileOutput.checkFree(target) }
    let params = BiqliBeginParams(
      namespace: try line.namespace(), platform: platform,
      probabilisticAllowed: line[Options.biqliProbabilistic], domain: line[Options.biqliDomain],
      appVersion: line[Options.biqliVersion], systemVersion: line[Options.biqliSystem] ?? "",
      sdkVersion: line[Options.biqliSDK] ?? "")
    let result = try context.callShowing(.biqliBegin(params))
    let fields = BiqliView.request(result)
    guard let target else { return CommandOutput(json: result, blocks: [.fields(fields)]) }
    let body = Array((result["body"]?.text ?? "").utf8)
    guard target != "-" else { return CommandOutput(json: result, octets: body) }
    try FileOutput.create(target, body, mode: 0o600)
    let shown = JSONValue.object((result.members ?? []).filter { $0.name != "body" })
    return CommandOutput(json: shown, blocks: [.fields(fields.filter { $0.name != "body" })])
  }

  static let biqliComplete = Verb(
    "biqli",
    Command(
      "complete", summary: "settles an event with the service's answer",
      discussion: """
        FILE is the answer as it came, JSON. A receipt in it is shown now and never again: the vault \
        does not keep it.
        """,
      arguments: [
        .namespace, .biqliEvent,
        Command.Argument("FILE", help: "the answer; - is standard input"),
      ],
      examples: [
        Command.Example(
          "vaultctl biqli complete demo/app/1 open_… answer.json", "settles it")
      ])
  ) { context throws(CommandFailure) in
    let answer = try SecretTextInput.read(
      context.line.argument(2) ?? "-", limit: VaultLimits.biqliResultOctets)
    let params = BiqliCompleteParams(
      namespace: try context.line.namespace(), eventID: context.line.argument(1) ?? "",
      result: answer)
    let result = try context.callShowing(.biqliComplete(params))
    return CommandOutput(json: result, blocks: BiqliView.completion(result))
  }

  static let biqliFail = Verb(
    "biqli",
    Command(
      "fail", summary: "notes that sending a request failed",
      discussion: "A final refusal settles its event; after any other the request stays.",
      options: [.add(Options.biqliStatus), .add(Options.biqliCode)],
      arguments: [.namespace, .biqliEvent],
      examples: [
        Command.Example("vaultctl biqli fail demo/app/1 open_… --status 503", "keeps it")
      ])
  ) { context throws(CommandFailure) in
    let params = BiqliFailParams(
      namespace: try context.line.namespace(), eventID: context.line.argument(1) ?? "",
      status: context.line[Options.biqliStatus].map { Int64($0) },
      code: context.line[Options.biqliCode])
    let result = try context.call(.biqliFail(params))
    return CommandOutput(json: result, blocks: [.text([BiqliView.failure(result)])])
  }

  static let biqliPending = Verb(
    "biqli",
    Command(
      "pending", summary: "shows the request that is not settled, or gives it up",
      discussion: """
        A request stays until its event is settled; one that never is, as its answer is too large \
        for instance, can be dropped. The service may have counted its event all the same. Link and \
        token stay.
        """,
      options: [.add(Options.biqliDrop)],
      arguments: [.namespace],
      examples: [
        Command.Example("vaultctl biqli pending demo/app/1", "shows age and attempts"),
        Command.Example("vaultctl biqli pending demo/app/1 --drop open_…", "gives it up"),
      ])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    guard let event = context.line[Options.biqliDrop] else {
      let result = try context.call(.biqliPending(NamespaceParams(namespace: name)))
      return CommandOutput(json: result, blocks: [BiqliView.pending(result)])
    }
    let result = try context.call(.biqliDrop(BiqliDropParams(namespace: name, eventID: event)))
    let words =
      result["dropped"]?.flag == true
      ? "the request is dropped" : "another request is pending, or none: nothing was dropped"
    return CommandOutput(json: result, blocks: [.text([words])])
  }
}

extension Command.Argument {
  /// The name of an event.
  fileprivate static let biqliEvent = Command.Argument("EVENT", help: "the event of the request")
}
