import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let auditTail = Verb(
    "audit",
    Command(
      "tail", summary: "shows the last lines of the audit log",
      discussion: """
        Shown are the lines of namespaces that the policy lets this user ask about, and all others \
        only to who may ask about all of them. With --json each line is written as it stands in the \
        log. With --follow the command goes on until it is interrupted, and leaves out what it has \
        read itself.
        """,
      options: [
        .add(Options.lineCount), .add(Options.afterLine), .add(Options.follow),
        .add(Options.method),
        .add(Options.inNamespace), .add(Options.uid), .add(Options.code), .add(Options.since),
        .add(Options.until),
      ],
      exclusive: [["lines", "after"]],
      examples: [
        Command.Example("vaultctl audit tail -n 50", "shows the last 50 lines"),
        Command.Example(
          "vaultctl audit tail --follow --code forbidden", "shows what is denied, as it happens"),
        Command.Example(
          "vaultctl audit tail --namespace demo --method 'key.*' --json", "is for a program"),
      ])
  ) { context throws(CommandFailure) in
    try AuditTail(context).run()
  }

  static let auditExport = Verb(
    "audit",
    Command(
      "export", summary: "copies the audit log of a running vault",
      discussion: """
        A PATH with a slash at its end becomes a directory with the files as they are, any other \
        one file with their text. Nothing has that name before all of it is written and durable.
        """,
      options: [.add(Options.exportTarget)],
      examples: [
        Command.Example("vaultctl audit export --out /media/usb/audit/", "copies the files"),
        Command.Example("vaultctl audit export --out audit.jsonl", "makes one file"),
      ])
  ) { context throws(CommandFailure) in
    try LogExport(context: context, target: context.line[Options.exportTarget] ?? "").run()
  }

  static let auditVerify = Verb(
    "audit",
    Command(
      "verify", summary: "checks a copy of the audit log, without a daemon",
      discussion: """
        With --key every line up to the last checkpoint is proven to be what the vault wrote; with \
        --checkpoint that none is missing up to that one. A fault ends with 11 and is named by its \
        file, line and kind: edited, removed, inserted, reordered, spliced or tail_lost. Lines \
        behind the last checkpoint can be changed by whoever can write the files.
        """,
      options: [.add(Options.key), .add(Options.checkpoint)],
      arguments: [
        Command.Argument("DIR", help: "the directory of the segments, or one file of an export")
      ],
      examples: [
        Command.Example(
          "vaultctl audit verify /media/usb/audit --key log.key --checkpoint newest.json",
          "checks a copy"),
        Command.Example(
          "vaultctl audit verify audit.jsonl --json | jq .fault", "tells a program where"),
      ])
  ) { context throws(CommandFailure) in
    try LogCheck.run(context)
  }

  static let auditArchive = Verb(
    "audit",
    Command(
      "archive", summary: "puts the closed segments of the audit log away",
      discussion: """
        The segments are copied into DIR and made durable, the copy is checked with the public key, \
        and only then the vault removes them and leaves a signed record, from which the rest goes \
        on. A directory that has earlier segments takes the next ones as well.
        """,
      options: [.add(Options.archiveTarget), .add(Options.through)],
      examples: [
        Command.Example("vaultctl audit archive --to /srv/audit-2026", "archives what is closed"),
        Command.Example(
          "vaultctl audit archive --to /srv/audit-2026 --through 100000", "leaves the rest"),
      ])
  ) { context throws(CommandFailure) in
    try LogArchive(
      context: context, directory: context.line[Options.archiveTarget] ?? "",
      through: context.line[Options.through].map { Int64($0) }
    ).run()
  }

  static let auditCheckpoint = Verb(
    "audit",
    Command(
      "checkpoint", summary: "has the vault sign where its audit log stands",
      discussion: """
        Kept where the vault cannot be written, the line shows later that nothing before it was \
        changed or lost: see `vaultctl audit verify` and `vaultctl unseal`.
        """,
      options: [.add(Options.checkpointTarget)],
      examples: [
        Command.Example("vaultctl audit checkpoint --out newest.json", "keeps it in a file"),
        Command.Example("vaultctl audit checkpoint", "shows it"),
      ])
  ) { context throws(CommandFailure) in
    let path = context.line[Options.checkpointTarget]
    if let path { try FileOutput.checkFree(path) }
    let result = try context.call(.auditCheckpoint)
    guard let line = result["checkpoint"]?.text else {
      throw CommandFailure(.protocolMismatch, "the answer holds no checkpoint")
    }
    let view = ResultView(result)
    guard let path else {
      return CommandOutput(
        json: result, blocks: [.text([line])], notes: ["the key is \(view["key"])"])
    }
    var file = try StagedFile(path, mode: 0o644)
    try file.write(Array((line + "\n").utf8))
    try file.finish()
    return CommandOutput(
      json: result,
      blocks: [.text(["\(path): the log up to line \(view["seq"]), key \(view["key"])"])])
  }
}
