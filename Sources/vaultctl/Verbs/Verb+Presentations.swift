import CommandLineOptions
import VaultAPI
import WireCoding

extension Verb {
  static let presentationMatch = Verb(
    "presentation",
    Command(
      "match", summary: "tells which passes a reader nearby may be for",
      discussion: """
        A match is verified when the group's resolving key bears it out. Without that key only the \
        first half of the group's name is known to agree, which anybody can advertise.
        """,
      options: [.add(Options.advertisement), .add(Options.address)],
      arguments: [
        Command.Argument(
          "NAMESPACE", help: "the only namespace to look at, instead of all", isOptional: true)
      ],
      examples: [
        Command.Example(
          "vaultctl presentation match --address C0:FF:EE:00:00:01 \\\n"
            + "      --advertisement seen.bin",
          "looks at all passes")
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    guard let address = line[Options.address], let source = line[Options.advertisement] else {
      throw .usage("--address and --advertisement are missing")
    }
    let name = line.argument(0) == nil ? nil : try line.namespace()
    let result = try context.call(
      .presentationMatch(
        PresentationMatchParams(
          advertisement: try AdvertisementInput.read(source), address: address, namespace: name)))
    return MatchView.output(result)
  }

  static let presentationSign = Verb(
    "presentation",
    Command(
      "sign", summary: "signs for a gateway that has its own Aliro stack",
      discussion: """
        FILE is a JSON object with reader_identifier, device_ephemeral_key, reader_ephemeral_key, \
        transaction_identifier and reader_signature, and certificate if the reader sent one, each \
        in base64. The vault verifies the reader first, signs the device's transcript and nothing \
        else, and signs no transcript twice. The signature is r and s of 32 bytes each (raw), \
        written in base64, or with --out as it is.
        """,
      options: [.add(Options.out)],
      arguments: [
        .namespace, Command.Argument("FILE", help: "the transaction; - is standard input"),
      ],
      examples: [
        Command.Example(
          "vaultctl presentation sign demo/front-door transaction.json", "signs one transaction")
      ])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let target = try SignatureTarget(context.line)
    let transaction = try FileInput.object(context.line.argument(1) ?? "-")
    // Sent as it is: the vault is the judge of its parts.
    let members = [JSONMember(name: "namespace", value: .string(name.rawValue))]
    let params = JSONValue.object(members + (transaction.members ?? []))
    let result = try context.call(
      method: VaultMethod.presentationSign.name, params: params, isAdmin: false)
    return try target.output(result, .raw)
  }
}
