/// What the lock is asked to do once the credential is accepted.
public enum PresentationIntent: String, Hashable, Sendable, CaseIterable {
  /// Open.
  case unsecure
  /// Close.
  case secure

  /// The value of the RKE request (section 12).
  var octet: UInt8 { self == .secure ? 0 : 1 }

  /// The state that the reader reports when it has done so.
  var status: LockStatus { self == .secure ? .secured : .unsecured }
}

/// Everything a presentation over BLE needs from outside, checked.
public struct PresentationConfiguration: Sendable {
  let channelSalt: [UInt8]
  let intent: PresentationIntent
  let credential: PresentedCredential
  let ephemeralKeys: any EphemeralKeySource
  let random: any RandomSource

  /// Checks and takes the parameters.
  ///
  /// - Parameters:
  ///   - readerVersions: the reader's list of BLE versions as read over GATT, octet for octet: two
  ///     octets each, at most 16.
  ///   - version: the version selected from it; only `01 00` is known.
  ///   - intent: what to ask of the lock.
  ///   - credential: what to present.
  ///   - ephemeralKeys: where the transaction's key comes from.
  ///   - random: where the octets come from that answer a request for the fast form.
  /// - Throws: ``AliroError/parameter(_:)`` with `reader_versions` or `version`.
  public init(
    readerVersions: [UInt8], version: [UInt8], intent: PresentationIntent,
    credential: PresentedCredential, ephemeralKeys: any EphemeralKeySource,
    random: any RandomSource
  ) throws(AliroError) {
    guard (2...32).contains(readerVersions.count), readerVersions.count % 2 == 0 else {
      throw .parameter("reader_versions")
    }
    let isListed = stride(from: 0, to: readerVersions.count, by: 2).contains {
      Array(readerVersions[$0..<$0 + 2]) == version
    }
    guard version == Auth0Command.version, isListed else { throw .parameter("version") }
    channelSalt = readerVersions + version
    self.intent = intent
    self.credential = credential
    self.ephemeralKeys = ephemeralKeys
    self.random = random
  }
}
