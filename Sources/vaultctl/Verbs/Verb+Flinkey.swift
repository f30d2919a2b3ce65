import CommandLineOptions
import VaultAPI
import WireCoding

// Tokens of flinkey and Tapkey, and boxes.
extension Verb {
  static let flinkeyStore = Verb(
    "flinkey",
    Command(
      "store", summary: "stores what a tenant has from the vendor's portal",
      discussion: """
        The secrets come from a file, from standard input, or are asked for on the terminal; none is \
        ever shown again. Earlier ones give way, and the token that was got with them goes.
        """,
      options: [
        .add(Options.flinkeyEnvironment), .add(Options.flinkeyCredentials),
        .add(Options.flinkeyCustomer), .add(Options.flinkeyDrop),
      ],
      exclusive: [["credentials", "customer-id"]], arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl flinkey store demo --environment uat --credentials portal.json",
          "reads them from a file"),
        Command.Example(
          "vaultctl flinkey store demo --environment uat --customer-id 4711", "asks for them"),
      ])
  ) { context throws(CommandFailure) in
    let params = FlinkeyStoreParams(
      namespace: try context.line.namespace(), environment: try context.flinkeyEnvironment(),
      credentials: try FlinkeyCredentialsInput.read(context.line))
    let result = try context.call(.flinkeyStore(params))
    var words = ["the credentials are stored"]
    if result["replaced"]?.flag == true {
      words = ["the credentials are stored, in the place of others"]
    }
    if let dropped = result["dropped"]?.number, dropped > 0 {
      words.append("users whose tokens went: \(dropped)")
    }
    return CommandOutput(json: result, blocks: [.text(words)])
  }

  static let flinkeyBox = Verb(
    "flinkey",
    Command(
      "box", summary: "stores which box a user opens",
      options: [.add(Options.flinkeyEnvironment)],
      arguments: [.namespace, .flinkeyUser, .flinkeyBox],
      examples: [
        Command.Example(
          "vaultctl flinkey box demo 7 C1-08-F0-94 --environment uat", "stores it")
      ])
  ) { context throws(CommandFailure) in
    let params = FlinkeyStoreParams(
      namespace: try context.line.namespace(), environment: try context.flinkeyEnvironment(),
      box: FlinkeyUserBox(
        user: try context.flinkeyUser(), boxID: context.line.argument(2) ?? ""))
    let result = try context.call(.flinkeyStore(params))
    let words = result["replaced"]?.flag == true ? "stored, in the place of another" : "stored"
    return CommandOutput(json: result, blocks: [.text([words])])
  }

  static let flinkeyToken = Verb(
    "flinkey",
    Command(
      "token", summary: "shows whether a user has a Tapkey token, or what is due",
      discussion: "The token itself is shown with --show only, with --json too.",
      options: [
        .add(Options.flinkeyEnvironment), .add(Options.flinkeyRemaining),
        .add(Options.flinkeyShow),
      ],
      arguments: [.namespace, .flinkeyUser],
      examples: [
        Command.Example("vaultctl flinkey token demo 7 --environment uat", "shows how it stands")
      ])
  ) { context throws(CommandFailure) in
    let request = VaultRequest.flinkeyToken(
      FlinkeyTokenParams(
        namespace: try context.line.namespace(), environment: try context.flinkeyEnvironment(),
        user: try context.flinkeyUser(),
        minRemaining: context.line[Options.flinkeyRemaining].map { Int64($0) }))
    let result =
      context.line[Options.flinkeyShow]
      ? try context.callShowing(request) : try context.call(request)
    return CommandOutput(json: result, blocks: [FlinkeyView.standing(result)])
  }

  static let flinkeyBlock = flinkeyChange(
    "block", "blocks a user, whose tokens go",
    ("the user is blocked", "the user was blocked before")
  ) { .flinkeyBlock($0) }

  static let flinkeyUnblock = flinkeyChange(
    "unblock", "ends the block of a user",
    ("the user is not blocked any more", "the user was not blocked")
  ) { .flinkeyUnblock($0) }

  static let flinkeyForget = flinkeyChange(
    "forget", "forgets a user's tokens and box", ("the user is forgotten", "there was nothing")
  ) { .flinkeyForget($0) }

  static let flinkeyBoxID = Verb(
    "flinkey",
    Command(
      "box-id", summary: "converts names of boxes, makes and reads their data",
      discussion: """
        BOX is a box ID such as C1-08-F0-94, or a physical lock ID such as BADBCPCU. The data of a \
        command carry no key; they go with the vendor's library.
        """,
      options: [
        .add(Options.flinkeyAction), .add(Options.flinkeyTags), .add(Options.flinkeyFeedback),
      ],
      arguments: [.namespace, .flinkeyBox],
      examples: [
        Command.Example("vaultctl flinkey box-id demo C1-08-F0-94", "shows both names"),
        Command.Example(
          "vaultctl flinkey box-id demo BADBCPCU --command status", "makes data as well"),
      ])
  ) { context throws(CommandFailure) in
    let line = context.line
    let box = line.argument(1) ?? ""
    let action = line[Options.flinkeyAction]
    guard action != nil || !line[Options.flinkeyTags] else {
      throw .usage("--read-nfc goes with --command ACTION")
    }
    var feedback: [UInt8]?
    if let text = line[Options.flinkeyFeedback] {
      guard let octets = try? Base64.decode(text) else {
        throw .usage("--feedback takes canonical base64")
      }
      feedback = octets
    }
    // The two kinds of names have different lengths.
    let isLock = box.utf8.count == 8
    let result = try context.call(
      .flinkeyBoxID(
        FlinkeyBoxIDParams(
          namespace: try line.namespace(), boxID: isLock ? nil : box,
          physicalLockID: isLock ? box : nil,
          command: action.map {
            FlinkeyBoxCommand(action: $0, readNFC: line[Options.flinkeyTags] ? true : nil)
          }, feedback: feedback)))
    return CommandOutput(json: result, blocks: [FlinkeyView.box(result)])
  }

  /// A command about one user, with what is said when it changed something and when it did not.
  private static func flinkeyChange(
    _ name: String, _ summary: String, _ words: (changed: String, same: String),
    _ request: @escaping @Sendable (FlinkeyUserParams) -> VaultRequest
  ) -> Verb {
    Verb(
      "flinkey",
      Command(
        name, summary: summary,
        options: [.add(Options.flinkeyEnvironment)], arguments: [.namespace, .flinkeyUser],
        examples: [
          Command.Example("vaultctl flinkey \(name) demo 7 --environment uat", "\(name)s user 7")
        ])
    ) { context throws(CommandFailure) in
      let params = FlinkeyUserParams(
        namespace: try context.line.namespace(), environment: try context.flinkeyEnvironment(),
        user: try context.flinkeyUser())
      let result = try context.call(request(params))
      let isChanged = result["changed"]?.flag == true
      return CommandOutput(json: result, blocks: [.text([isChanged ? words.changed : words.same])])
    }
  }
}

extension Command.Argument {
  /// The flinkey user.
  static let flinkeyUser = Command.Argument("USER", help: "the flinkey user ID, a number")
  /// A box.
  fileprivate static let flinkeyBox = Command.Argument("BOX", help: "the name of the box")
}

extension CallContext {
  /// The user that is the second argument.
  func flinkeyUser() throws(CommandFailure) -> Int64 {
    let text = line.argument(1) ?? ""
    guard let user = Int64(text), VaultLimits.numbers.contains(user), String(user) == text else {
      throw .usage("USER is a flinkey user ID, a number from 1")
    }
    return user
  }

  /// The environment, which must be given.
  func flinkeyEnvironment() throws(CommandFailure) -> FlinkeyEnvironment {
    guard let environment = line[Options.flinkeyEnvironment] else {
      throw .usage("--environment ENVIRONMENT is missing")
    }
    return environment
  }
}
