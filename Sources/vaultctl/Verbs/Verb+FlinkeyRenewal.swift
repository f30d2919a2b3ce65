import CommandLineOptions
import VaultAPI
import WireCoding

// The steps of a renewal by hand; a renewer is a program.
extension Verb {
  static let flinkeyRenewBegin = Verb(
    "flinkey",
    Command(
      "renew-begin", summary: "takes the step that is due, with its secrets",
      discussion: """
        The step with what it needs is written to a new file that only you can read. Nobody else gets \
        it until it is completed or its time is over. The policy must grant it by name.
        """,
      options: [
        .add(Options.flinkeyEnvironment), .add(Options.flinkeyRemaining),
        .add(Options.flinkeyLease), .add(Options.flinkeyStep),
      ],
      arguments: [.namespace, .flinkeyUser],
      examples: [
        Command.Example(
          "vaultctl flinkey renew-begin demo 7 --environment uat --out step.json",
          "writes what the step needs")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    let target = line[Options.flinkeyStep] ?? "-"
    if target != "-" { try FileOutput.checkFree(target) }
    let request = VaultRequest.flinkeyRenewBegin(
      FlinkeyRenewBeginParams(
        namespace: try line.namespace(), environment: try context.flinkeyEnvironment(),
        user: try context.flinkeyUser(),
        minRemaining: line[Options.flinkeyRemaining].map { Int64($0) },
        leaseSeconds: line[Options.flinkeyLease].map { Int64($0) }))
    let result = try context.callShowing(request)
    guard result["due"]?.flag == true else {
      return CommandOutput(json: result, blocks: [.text(["nothing is due"])])
    }
    let text = JSONText.compact(result) + [UInt8(ascii: "\n")]
    guard target != "-" else { return CommandOutput(json: result, octets: text) }
    try FileOutput.create(target, text, mode: 0o600)
    let shown = JSONValue.object((result.members ?? []).filter { $0.name != "inputs" })
    let view = ResultView(shown)
    return CommandOutput(
      json: shown,
      blocks: [
        .fields([
          OutputBlock.Field(name: "step", value: view["step"]),
          OutputBlock.Field(name: "lease", value: view["lease"]),
          OutputBlock.Field(name: "expires", value: view["expires"]),
        ])
      ])
  }

  static let flinkeyRenewComplete = Verb(
    "flinkey",
    Command(
      "renew-complete", summary: "stores what a step brought, or gives it back",
      discussion: """
        Only a refusal for good blocks the user: http_status 400 or 401 for an IdToken, an OAuth error \
        such as invalid_grant for a Tapkey token, and an assignment that has ended.
        """,
      options: [
        .add(Options.flinkeyEnvironment), .add(Options.flinkeyToken),
        .add(Options.flinkeyExpires), .add(Options.flinkeyTapkeyUser),
        .add(Options.flinkeyFailure), .add(Options.flinkeyStatus),
        .add(Options.flinkeyOAuthError),
      ],
      exclusive: [["token", "failure"]],
      arguments: [
        .namespace, .flinkeyUser,
        Command.Argument("LEASE", help: "what renew-begin called the step, base64"),
      ],
      examples: [
        Command.Example(
          "vaultctl flinkey renew-complete demo 7 LEASE --environment uat \\\n"
            + "      --token token.txt --expires-in 3600", "stores a token")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    guard let lease = try? Base64.decode(line.argument(2) ?? "") else {
      throw .usage("LEASE is canonical base64")
    }
    var params = FlinkeyRenewCompleteParams(
      namespace: try line.namespace(), environment: try context.flinkeyEnvironment(),
      user: try context.flinkeyUser(), lease: lease)
    if let path = line[Options.flinkeyToken] {
      params.token = try SecretTextInput.read(
        path, limit: VaultLimits.flinkeyTokenOctets.upperBound)
      params.expiresIn = line[Options.flinkeyExpires].map { Int64($0) }
      params.tapkeyUser = line[Options.flinkeyTapkeyUser]
    } else if let reason = line[Options.flinkeyFailure] {
      params.failure = FlinkeyStepFailure(
        reason: reason, status: line[Options.flinkeyStatus].map { Int64($0) },
        oauthError: line[Options.flinkeyOAuthError])
    } else {
      throw .usage("one of --token FILE, --failure REASON is missing")
    }
    let result = try context.call(.flinkeyRenewComplete(params))
    let words = result["stored"]?.flag == true ? "the token is stored" : "the step is given back"
    return CommandOutput(json: result, blocks: [.text([words]), FlinkeyView.standing(result)])
  }
}
