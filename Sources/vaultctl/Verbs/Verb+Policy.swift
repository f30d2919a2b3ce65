import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let policyShow = Verb(
    "policy",
    Command(
      "show", summary: "shows the policy: who may do what",
      discussion: """
        The text goes to standard output as it was written; latchkey-policy(5) has its language.
        """,
      examples: [
        Command.Example("vaultctl policy show", "shows it"),
        Command.Example("vaultctl policy show > policy.txt", "keeps a copy"),
      ])
  ) { context throws(CommandFailure) in
    var output = PolicyView.text(try context.call(.policyGet))
    if context.line[Options.json] { output.octets = nil }
    return output
  }

  static let policyEdit = Verb(
    "policy",
    Command(
      "edit", summary: "opens the policy in an editor and puts it in force",
      discussion: """
        The editor is $VISUAL, $EDITOR or vi. When the vault finds fault with the text, the line is \
        shown and can be edited again. When somebody else has changed the policy meanwhile, \
        nothing is changed. Whatever goes wrong, the text is kept, and it is said where.
        """,
      examples: [
        Command.Example("vaultctl policy edit", "edits it"),
        Command.Example("EDITOR=nano vaultctl policy edit", "edits it with nano"),
      ])
  ) { context throws(CommandFailure) in
    try PolicyEdit(context: context).run()
  }

  static let policyApply = Verb(
    "policy",
    Command(
      "apply", summary: "puts the policy of a file in force",
      discussion: """
        From then on no answer carries what only the policy before allowed. A policy that nobody \
        could change again is refused. With --dry-run the vault says what it thinks of the text, \
        and nothing changes.
        """,
      options: [.add(Options.dryRun), .add(Options.replacedRevision)],
      arguments: [Command.Argument("FILE", help: "the policy; - is standard input")],
      examples: [
        Command.Example("vaultctl policy apply policy.txt --dry-run", "only looks at it"),
        Command.Example(
          "vaultctl policy apply policy.txt --revision 3", "replaces the one that was looked at"),
      ])
  ) { context throws(CommandFailure) in
    let isTrial = context.line[Options.dryRun]
    let revision = context.line[Options.replacedRevision].map { Int64($0) }
    let text = try PolicyFile.read(context.line.argument(0) ?? "-")
    let result = try PolicyFile.checked(text) { policy throws(CommandFailure) in
      try context.call(
        .policySet(PolicySetParams(policy: policy, revision: revision, dryRun: isTrial)))
    }
    return PolicyView.change(result, isTrial: isTrial)
  }

  static let policyExplain = Verb(
    "policy",
    Command(
      "explain", summary: "says whether a call is allowed, and why",
      discussion: """
        Either for a caller, by --user and perhaps --group and --unit, and the method it would \
        call; or for the call of an audit line, by --seq. The groups are those of the user's \
        account unless they are given.
        """,
      options: [
        .add(Options.user), .add(Options.group), .add(Options.unit), .add(Options.callSocket),
        .add(Options.auditNumber),
      ],
      exclusive: [["user", "seq"], ["group", "seq"], ["unit", "seq"], ["by", "seq"]],
      arguments: [
        Command.Argument("METHOD", help: "the method, such as key.sign", isOptional: true),
        Command.Argument("NAMESPACE", help: "what the call would be about", isOptional: true),
      ],
      examples: [
        Command.Example(
          "vaultctl policy explain key.sign demo/front-door --user alice",
          "asks about a call of alice"),
        Command.Example(
          "vaultctl policy explain status --user 998 --unit gateway.service",
          "asks about a service"),
        Command.Example("vaultctl policy explain --seq 1207", "asks why a call was denied"),
      ])
  ) { context throws(CommandFailure) in
    PolicyView.explanation(
      try context.call(.policyExplain(try PolicyExplainParams(context.line))))
  }
}

extension PolicyExplainParams {
  /// The question that was typed.
  fileprivate init(_ line: ParsedCommand) throws(CommandFailure) {
    if let seq = line[Options.auditNumber] {
      guard line.arguments.isEmpty else {
        throw .usage("an audit line says itself which method it is about")
      }
      self.init(.line(Int64(seq)))
      return
    }
    guard let method = line.argument(0), let user = line[Options.user] else {
      throw .usage("a call needs METHOD and --user, an audit line --seq")
    }
    let groups = line.all(Options.group)
    var call = SupposedCall(
      method: method, user: user, groups: groups.isEmpty ? nil : groups,
      unit: line[Options.unit], socket: line[Options.callSocket] ?? .admin)
    if line.argument(1) != nil { call.namespace = try line.namespace(at: 1) }
    self.init(.call(call))
  }
}
