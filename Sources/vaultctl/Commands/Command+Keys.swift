import WireCoding
import VaultAPI

extension Command {
  static let keyPublic = Command(
    path: ["key", "public"], summary: "show the public key of a namespace, made on first use",
    operands: [.namespace],
    options: [.purpose, .keyFormat],
    details: [
      "With --format only the key is written: the 65-byte point or the SubjectPublicKeyInfo in"
        + " base64, or the latter as PEM."
    ],
    examples: [
      "vaultctl key public demo/front-door",
      "vaultctl key public demo/signer --purpose signing --format pem > signer.pem",
    ]
  ) { context throws(CommandFailure) in
    let invocation = context.invocation
    let format = try invocation.choice(.keyFormat, as: PublicKeyFormat.self)
    let purpose = try invocation.choice(.purpose, as: PublicKeyPurpose.self) ?? .presentation
    let params = KeyPublicParams(namespace: try invocation.namespace(), purpose: purpose)
    let result = try context.call(.keyPublic(params))
    let blocks = try KeyView.publicKey(result, format)
    let notes =
      format != nil && result["created"]?.flag == true ? ["this call made the key"] : []
    return CommandOutput(json: result, blocks: blocks, notes: notes)
  }

  static let keyList = Command(
    path: ["key", "list"], summary: "list the keys of a namespace, old versions too",
    operands: [.namespace],
    examples: ["vaultctl key list demo/front-door"]
  ) { context throws(CommandFailure) in
    let name = try context.invocation.namespace()
    let result = try context.call(.keyList(KeyListParams(namespace: name)))
    return CommandOutput(json: result, blocks: [KeyView.list(result)])
  }

  static let keySign = Command(
    path: ["key", "sign"], summary: "sign a message or its SHA-256 digest with a signing key",
    operands: [.namespace],
    options: [.message, .digest, .signatureFormat, .out],
    details: [
      "The signature is written in base64, or with --out as it is: DER, or r and s of 32 bytes"
        + " each (raw). A message has at most 128 KiB; a longer one is signed by its digest.",
      "Only a key of purpose signing signs; a presentation key refuses.",
    ],
    examples: [
      "vaultctl key sign demo/signer --message letter.txt --out letter.sig",
      "vaultctl key sign demo/signer --format raw --digest \"$(sha256sum < letter.txt | cut -c-64)\"",
    ]
  ) { context throws(CommandFailure) in
    try SigningOrder(context.invocation).run(context)
  }
}

extension OptionSpec {
  static let purpose = OptionSpec(
    name: "--purpose", value: "PURPOSE", help: "presentation (default) or signing")
  static let keyFormat = OptionSpec(
    name: "--format", value: "FORMAT", help: "only the key, as point, spki or pem")
  static let message = OptionSpec(
    name: "--message", value: "FILE", help: "sign this file; - is standard input")
  static let digest = OptionSpec(
    name: "--digest", value: "HEX", help: "sign this SHA-256 digest, 64 hex digits")
  static let signatureFormat = OptionSpec(
    name: "--format", value: "FORMAT", help: "how to write the signature: der (default) or raw")
  static let out = OptionSpec(
    name: "--out", value: "FILE", help: "write the signature there, a new file; - is standard output")
}
