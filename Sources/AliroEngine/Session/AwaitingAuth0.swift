import VaultCrypto
import WireCoding

/// AUTH0: the first command (section 4).
enum AwaitingAuth0 {
  /// Answers the command with a fresh ephemeral key, if it does not demand too much.
  static func answer(_ data: [UInt8], _ surroundings: Surroundings) throws(Failure) -> Transition {
    let command = try Auth0Command(data)
    guard !command.forcesUserAuthentication || surroundings.userAuthentication == .confirmed else {
      throw Failure(
        statusWord: .conditions,
        refusal: Refusal(
          .forbidden, "The reader demands that the user be authenticated at this moment."))
    }
    var transition = try answer(command, surroundings)
    transition.usesConfirmation = command.forcesUserAuthentication
    return transition
  }

  private static func answer(
    _ command: Auth0Command, _ surroundings: Surroundings
  ) throws(Failure) -> Transition {
    let configuration = surroundings.configuration
    let exchange = Auth0Exchange(
      command: command, ephemeralKey: try ephemeralKey(for: command, configuration.keys),
      interface: configuration.interface)
    let group = GroupStanding(of: command.groupIdentifier, for: configuration.credential)
    let completion = AwaitingAuth1(exchange: exchange, group: group)
    guard command.isFast else {
      return Transition(
        .awaitingAuth1(completion), answer: try answer(exchange, cryptogram: nil), .success)
    }
    let fast = try FastAnswer(to: exchange, in: group, surroundings)
    let answer = try answer(exchange, cryptogram: fast.cryptogram)
    // The caller alone is told whether the reader is known.
    let events = fast.session.isDecoy ? [] : [PresentationEvent(.credentialPresented)]
    return Transition(
      .presented(fast.session, .awaitingCompletion(completion)), answer: answer, .success,
      events: events)
  }

  private static func ephemeralKey(
    for command: Auth0Command, _ keys: any SessionKeySource
  ) throws(Failure) -> P256PrivateKey {
    let key = try computing { try keys.makeEphemeralKey() }
    // A reader that sends the device's own key back would have both sides sign the same octets.
    guard key.publicKey != command.readerEphemeralKey else {
      throw .malformed("The reader's ephemeral key is the device's own.")
    }
    return key
  }

  /// `86` with the key, and `9D` with the cryptogram when the fast form was asked for.
  private static func answer(
    _ exchange: Auth0Exchange, cryptogram: [UInt8]?
  ) throws(Failure) -> [UInt8] {
    try computing {
      var writer = TLVWriter()
      try writer.append(0x86, exchange.ephemeralKey.publicKey.uncompressed)
      if let cryptogram { try writer.append(0x9D, cryptogram) }
      return writer.bytes
    }
  }
}
