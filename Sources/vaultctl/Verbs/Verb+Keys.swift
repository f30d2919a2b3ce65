import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let keyPublic = Verb(
    "key",
    Command(
      "public", summary: "shows the public key of a namespace, made on first use",
      discussion: """
        With --format only the key is written: the 65-byte point or the SubjectPublicKeyInfo in \
        base64, or the latter as PEM.
        """,
      options: [.add(Options.purpose), .add(Options.keyFormat)],
      arguments: [.namespace],
      examples: [
        Command.Example("vaultctl key public demo/front-door", "shows the credential key"),
        Command.Example(
          "vaultctl key public demo/signer --purpose signing --format pem > signer.pem",
          "writes a signing key for OpenSSL"),
      ])
  ) { context throws(CommandFailure) in
    let format = context.line[Options.keyFormat]
    let params = KeyPublicParams(
      namespace: try context.line.namespace(),
      purpose: context.line[Options.purpose] ?? .presentation)
    let result = try context.call(.keyPublic(params))
    let blocks = try KeyView.publicKey(result, format)
    let notes =
      format != nil && result["created"]?.flag == true ? ["this call made the key"] : []
    return CommandOutput(json: result, blocks: blocks, notes: notes)
  }

  static let keyList = Verb(
    "key",
    Command(
      "list", summary: "lists the keys of a namespace, old versions too",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl key list demo/front-door", "shows purposes and states")])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let result = try context.call(.keyList(NamespaceParams(namespace: name)))
    return CommandOutput(json: result, blocks: [KeyView.list(result)])
  }

  static let keySign = Verb(
    "key",
    Command(
      "sign", summary: "signs a message or its SHA-256 digest with a signing key",
      discussion: """
        The signature is written in base64, or with --out as it is: DER, or r and s of 32 bytes \
        each (raw). A message has at most 128 KiB; a longer one is signed by its digest. Only a \
        key of purpose signing signs; a presentation key refuses.
        """,
      options: [
        .add(Options.message), .add(Options.digest), .add(Options.signatureFormat),
        .add(Options.out),
      ],
      exclusive: [["message", "digest"]], arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl key sign demo/signer --message letter.txt --out letter.sig", "signs a file"),
        Command.Example(
          "sha256sum letter.txt | cut -c-64 |\n"
            + "    xargs vaultctl key sign demo/signer --format raw --digest",
          "signs a file of any size"),
      ])
  ) { context throws(CommandFailure) in
    try SigningOrder(context.line).run(context)
  }
}
