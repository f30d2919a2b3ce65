import SecureMemory
import VaultCrypto

/// AUTH0's fast form (section 4): the cryptogram, and the session it leads to.
struct FastAnswer: ~Copyable {
  /// 64 octets.
  let cryptogram: [UInt8]
  /// The session; a decoy where the cryptogram is one.
  let session: AcceptedSession

  /// Makes the answer to a reader, known or not.
  ///
  /// A reader that is not known, or may not be, is answered by the same computation under a decoy
  /// key, and its session goes on under what comes of that: neither shape nor time nor what follows
  /// tells it from one that is known.
  init(
    to exchange: Auth0Exchange, in group: GroupStanding, _ surroundings: Surroundings
  ) throws(Failure) {
    let configuration = surroundings.configuration
    var key = try computing { try configuration.keys.makeDecoyKey() }
    // Asked in every case, for the time it takes.
    var kept = Self.persistentKey(for: exchange, surroundings)
    let report = Self.report(for: exchange, surroundings)
    var known: UsableCredential?
    if case .trusted(_, let credential) = group, report != nil,
      credential.documents.access?.refusal(at: surroundings.moment.time) == nil,
      let persistentKey = kept.take()
    {
      key = persistentKey
      known = credential
    }
    let keys = try KeyBlock(
      from: key, salt: Self.salt(exchange, group), info: KeySalt.info(exchange))
    // Both are made before either is stored: a half-made move-only value cannot be undone.
    let cryptogram = try Self.cryptogram(report ?? CredentialReport(), under: keys.key(0))
    let channels = try SessionChannels(fast: keys, configuration)
    self.cryptogram = cryptogram
    session = AcceptedSession(channels, of: known, isReaderAuthenticated: false)
  }

  private static func persistentKey(
    for exchange: Auth0Exchange, _ surroundings: Surroundings
  ) -> SecretBytes? {
    do {
      return try surroundings.memory.persistentKey(
        of: exchange.command.readerIdentifier, at: surroundings.moment.time)
    } catch {
      // What cannot be read is as good as not there: the reader falls back on AUTH1.
      return nil
    }
  }

  /// What a known reader is told; `nil` where there is no credential, or it cannot be told.
  private static func report(
    for exchange: Auth0Exchange, _ surroundings: Surroundings
  ) -> CredentialReport? {
    guard case .usable(let credential) = surroundings.configuration.credential else {
      _ = try? surroundings.memory.mailbox()
      return nil
    }
    // Here too the reader falls back on AUTH1, and learns there that it failed.
    return try? CredentialReport(
      of: credential, memory: surroundings.memory, over: exchange.interface)
  }

  /// The salt; where there is no trust or credential, another x of the transaction stands in.
  private static func salt(_ exchange: Auth0Exchange, _ group: GroupStanding) -> [UInt8] {
    switch group {
    case .trusted(let trust, let credential):
      return KeySalt.salt(
        .volatileFast, exchange, group: trust.key.x, credential: credential.signer.publicKey.x)
    case .unknown:
      let x = exchange.command.readerEphemeralKey.x
      return KeySalt.salt(.volatileFast, exchange, group: x, credential: x)
    }
  }

  /// AES-256-GCM with a nonce of zeros, which is safe since the key is made of a fresh ephemeral one
  /// and is used this once.
  private static func cryptogram(
    _ report: CredentialReport, under key: consuming SecretBytes
  ) throws(Failure) -> [UInt8] {
    let nonce = [UInt8](repeating: 0, count: 12)
    let plaintext = report.cryptogramPlaintext
    do {
      return try AESGCM(key: key).seal(
        plaintext.span, nonce: nonce.span, associatedData: [UInt8]().span)
    } catch {
      throw Failure(computation: error)
    }
  }
}
