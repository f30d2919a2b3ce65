import CommandLineOptions
import VaultAPI
import WireCoding

// What an installation of an app keeps for Biqli, except for requests.
extension Verb {
  static let biqliOpen = Verb(
    "biqli",
    Command(
      "open", summary: "opens the state of an installation of an app",
      discussion: """
        The marker is a random value that the app keeps where it vanishes with it. Another one than \
        the stored one is that of another installation: all that was kept is deleted then.
        """,
      options: [.add(Options.biqliApp), .add(Options.biqliMarker), .add(Options.biqliKey)],
      arguments: [.namespace],
      examples: [
        Command.Example(
          "vaultctl biqli open demo/app/1 --app biq_mapp_0123456789ABCDEFGHJKMNPQRS \\\n"
            + "      --marker marker.bin", "opens one, or makes it")
      ])
  ) { context throws(CommandFailure) in
    let path = context.line[Options.biqliMarker] ?? "-"
    let size = VaultLimits.biqliMarkerOctets
    let rule = "the marker file must hold \(size.lowerBound) to \(size.upperBound) bytes"
    let marker = try FileInput.read(path, limit: size.upperBound, tooLong: rule)
    guard marker.count >= size.lowerBound else {
      throw CommandFailure(
        .badData, "\(FileInput.name(of: path)) has fewer than \(size.lowerBound) bytes", hint: rule)
    }
    let params = BiqliOpenParams(
      namespace: try context.line.namespace(), appID: context.line[Options.biqliApp] ?? "",
      marker: marker, publishableKey: context.line[Options.biqliKey])
    let result = try context.call(.biqliOpen(params))
    return CommandOutput(json: result, blocks: [.text([BiqliView.opening(result)])])
  }

  static let biqliInstance = Verb(
    "biqli",
    Command(
      "instance", summary: "shows the name of an installation, made on first use",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl biqli instance demo/app/1", "shows it")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.biqliInstance(try .init(context)))
    return CommandOutput(json: result, blocks: [.text([ResultView(result)["instance_id"]])])
  }

  static let biqliCapture = Verb(
    "biqli",
    Command(
      "capture", summary: "keeps a link or a handoff token for the next request",
      discussion: """
        The last link and the last token win. Whoever has a token can use it, so both are read from \
        a file, into guarded memory.
        """,
      options: [.add(Options.biqliLink), .add(Options.biqliToken)],
      exclusive: [["link", "token"]], arguments: [.namespace],
      examples: [
        Command.Example("vaultctl biqli capture demo/app/1 --token token.txt", "keeps a token")
      ])
  ) { context throws(CommandFailure) in
    let name = try context.line.namespace()
    let params: BiqliCaptureParams
    if let path = context.line[Options.biqliLink] {
      let link = try SecretTextInput.read(path, limit: VaultLimits.biqliLinkOctets)
      params = BiqliCaptureParams(namespace: name, link: link)
    } else if let path = context.line[Options.biqliToken] {
      let token = try SecretTextInput.read(path, limit: VaultLimits.biqliTokenOctets.upperBound)
      params = BiqliCaptureParams(namespace: name, token: token)
    } else {
      throw .usage("one of --link FILE, --token FILE is missing")
    }
    let result = try context.call(.biqliCapture(params))
    let words = result["replaced"]?.flag == true ? "kept, in the place of another" : "kept"
    return CommandOutput(json: result, blocks: [.text([words])])
  }

  static let biqliCached = Verb(
    "biqli",
    Command(
      "cached", summary: "shows the last match, where no request is due",
      discussion: "It is JSON, as the service has sent it, without its receipt.",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl biqli cached demo/app/1", "shows it")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.biqliCached(try .init(context)))
    guard let text = result["result"]?.text else {
      return CommandOutput(
        json: result, notes: ["nothing: a request is due, or there was no match"])
    }
    return CommandOutput(json: result, blocks: [.text([text])])
  }

  static let biqliWindow = Verb(
    "biqli",
    Command(
      "window", summary: "tells whether opening the app now is its first open",
      discussion: "The first time it is asked the 24 hours begin.",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl biqli window demo/app/1", "tells until when")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.biqliWindow(try .init(context)))
    let until = ResultView(result)["until"]
    let words = result["open"]?.flag == true ? "open until \(until)" : "closed"
    return CommandOutput(json: result, blocks: [.text([words])])
  }

  static let biqliReset = Verb(
    "biqli",
    Command(
      "reset", summary: "deletes all that is kept of an installation",
      arguments: [.namespace],
      examples: [Command.Example("vaultctl biqli reset demo/app/1", "deletes it")])
  ) { context throws(CommandFailure) in
    let result = try context.call(.biqliReset(try .init(context)))
    let wasThere = result["reset"]?.flag == true
    return CommandOutput(
      json: result,
      blocks: [.text([wasThere ? "the state is deleted" : "there was nothing"])])
  }
}

extension NamespaceParams {
  /// The namespace that is the argument.
  init(_ context: CallContext) throws(CommandFailure) {
    self.init(namespace: try context.line.namespace())
  }
}
