import VaultCrypto
import WireCoding

/// AUTH0: the first command (section 4).
enum AwaitingAuth0 {
  /// Answers the command with a fresh ephemeral key.
  static func answer(
    _ data: [UInt8], _ configuration: PresentationConfiguration
  ) throws(Failure) -> Transition {
    let command = try Auth0Command(data)
    guard !command.forcesUserAuthentication || configuration.userAuthentication == .confirmed else {
      throw Failure(
        statusWord: .conditions,
        refusal: Refusal(
          .forbidden, "The reader demands that the user be authenticated at this moment."))
    }
    let key: P256PrivateKey
    do {
      key = try configuration.keys.makeEphemeralKey()
    } catch {
      throw Failure(computation: error)
    }
    // A reader that sends the device's own key back would have both sides sign the same octets.
    guard key.publicKey != command.readerEphemeralKey else {
      throw .malformed("The reader's ephemeral key is the device's own.")
    }
    let answer = try answer(key.publicKey, command, configuration.keys)
    let standing = GroupStanding(of: command.groupIdentifier, for: configuration.credential)
    let exchange = Auth0Exchange(command: command, ephemeralKey: key)
    return Transition(
      .awaitingAuth1(AwaitingAuth1(exchange: exchange, group: standing)), answer: answer, .success)
  }

  /// `86` with the key and, when the fast form is asked for, `9D` with octets that nobody can tell
  /// from a cryptogram.
  private static func answer(
    _ key: P256PublicKey, _ command: Auth0Command, _ keys: any SessionKeySource
  ) throws(Failure) -> [UInt8] {
    try computing {
      var writer = TLVWriter()
      try writer.append(0x86, key.uncompressed)
      if command.isFast {
        let cipher = try AESGCM(key: keys.makeDecoyKey())
        let nothing = [UInt8](repeating: 0, count: 48)
        let nonce = [UInt8](repeating: 0, count: 12)
        try writer.append(
          0x9D, cipher.seal(nothing.span, nonce: nonce.span, associatedData: [UInt8]().span))
      }
      return writer.bytes
    }
  }
}
