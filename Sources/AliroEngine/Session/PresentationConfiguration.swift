/// Everything a presentation needs from outside, checked.
public struct PresentationConfiguration: Sendable {
  /// How long AUTH0 may take by default (section 12, timers).
  public static let defaultAuth0Timeout: Int64 = 2500

  let transport: PresentationTransport
  let credential: PresentedCredential
  let keys: any SessionKeySource
  let userAuthentication: UserAuthentication
  let auth0Timeout: Int64

  /// Checks and takes the parameters.
  ///
  /// - Parameters:
  ///   - transport: how the messages travel.
  ///   - credential: what to present.
  ///   - keys: where the transaction's keys come from.
  ///   - userAuthentication: what becomes of a reader's demand that the user be authenticated.
  ///   - auth0Timeout: milliseconds in which AUTH0 must come over BLE, at most a minute.
  /// - Throws: ``AliroError/parameter(_:)`` with `reader_versions`, `version` or `auth0_timeout`.
  public init(
    transport: PresentationTransport, credential: PresentedCredential, keys: any SessionKeySource,
    userAuthentication: UserAuthentication, auth0Timeout: Int64 = defaultAuth0Timeout
  ) throws(AliroError) {
    if case .ble(let readerVersions, let version, _) = transport {
      guard (2...32).contains(readerVersions.count), readerVersions.count % 2 == 0 else {
        throw .parameter("reader_versions")
      }
      let isListed = stride(from: 0, to: readerVersions.count, by: 2).contains {
        Array(readerVersions[$0..<$0 + 2]) == version
      }
      guard version == Auth0Command.version, isListed else { throw .parameter("version") }
    }
    guard (1...60_000).contains(auth0Timeout) else { throw .parameter("auth0_timeout") }
    self.transport = transport
    self.credential = credential
    self.keys = keys
    self.userAuthentication = userAuthentication
    self.auth0Timeout = auth0Timeout
  }

  /// The salt of the BLE channel's keys; `nil` over NFC.
  ///
  /// The reader's version list as read over GATT, then the selected version: of the two forms in the
  /// sources the one that has been seen to work (section 15.1).
  var channelSalt: [UInt8]? {
    switch transport {
    case .ble(let readerVersions, let version, _): readerVersions + version
    case .nfc: nil
    }
  }

  var interface: Interface {
    switch transport {
    case .ble: .ble
    case .nfc: .nfc
    }
  }

  /// What is asked of the lock as soon as the credential is accepted.
  var action: LockAction? {
    switch transport {
    case .ble(_, _, let intent): intent.action
    case .nfc: nil
    }
  }

  /// Until when AUTH0 may come, in milliseconds of uptime; `nil` over NFC, where the field sets the
  /// pace.
  func auth0Deadline(from moment: Moment) -> Int64? {
    interface == .ble ? moment.uptime + auth0Timeout : nil
  }
}
