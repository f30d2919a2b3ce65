package import WireCoding

/// Everything that is kept of one installation of an app, as one value.
///
/// Each operation takes the time and the random octets it needs, changes the value, and says what came
/// of it; a store that keeps the whole value in one transaction therefore keeps the promises: an event
/// is never sent that is not stored, is the same for all who ask until it is settled, and is settled
/// once. A value that was changed must be durable before what the operation says is told to anybody.
///
/// No record holds a receipt, as a ``BiqliResult`` cannot.
package struct BiqliRecord: Equatable, Sendable {
  /// For how many seconds after it was first asked for the window of the first open lasts.
  package static let windowSeconds: Int64 = 24 * 3600
  /// For how many seconds a request may be sent again: seven days.
  ///
  /// Nothing says how long the service remembers an event. An older request would tell it of a first
  /// open and of an agreement that were long ago, so a new one takes its place, with a new event.
  package static let pendingLifetime: Int64 = 7 * 24 * 3600

  /// The app.
  package let appID: BiqliAppID
  /// What the app shows to the service.
  package internal(set) var publishableKey: BiqliPublishableKey?
  /// What the installation shows to the vault.
  package let marker: BiqliMarker
  /// The name of the installation, once it was asked for or a request was made.
  package internal(set) var instanceID: BiqliInstanceID?
  /// When the window of the first open was first asked for.
  package internal(set) var windowStart: Timestamp?
  /// Whether first open is over, after a match or 24 hours.
  package internal(set) var isCompleted = false
  /// The last match.
  package internal(set) var cachedResult: BiqliResult?
  /// The link that waits.
  package internal(set) var link: BiqliDeepLink?
  /// The token that waits.
  package internal(set) var token: BiqliHandoffToken?
  /// The request that was handed out and not settled.
  package internal(set) var pending: BiqliPendingRequest?

  init(appID: BiqliAppID, publishableKey: BiqliPublishableKey?, marker: BiqliMarker) {
    self.appID = appID
    self.publishableKey = publishableKey
    self.marker = marker
  }

  /// Opens the record of an installation.
  ///
  /// Another marker than the stored one is another installation, and nothing of the last one stays: this
  /// is the rule for an app that was removed and installed again.
  ///
  /// - Parameters:
  ///   - stored: the record, if there is one; after a reset there is none.
  ///   - marker: the marker of the installation that asks.
  ///   - appID: its app.
  ///   - publishableKey: its key; `nil` leaves the stored one.
  /// - Returns: the record to keep, and how it came about.
  /// - Throws: ``BiqliError/conflict(_:)`` for `app_id` when the record is another app's.
  package static func open(
    _ stored: BiqliRecord?, marker: BiqliMarker, appID: BiqliAppID,
    publishableKey: BiqliPublishableKey?
  ) throws(BiqliError) -> (record: BiqliRecord, opening: BiqliOpening) {
    let fresh = BiqliRecord(appID: appID, publishableKey: publishableKey, marker: marker)
    guard var record = stored else { return (fresh, .created) }
    guard record.appID == appID else { throw .conflict("app_id") }
    guard record.marker == marker else { return (fresh, .reset) }
    guard let publishableKey, publishableKey != record.publishableKey else {
      return (record, .unchanged)
    }
    record.publishableKey = publishableKey
    return (record, .keyReplaced)
  }

  /// Names the installation: once, and always alike.
  ///
  /// - Parameter random: 16 random octets, of which a name is made when there is none.
  /// - Returns: the name.
  package mutating func instance(random: InlineArray<16, UInt8>) -> BiqliInstanceID {
    let name = instanceID ?? BiqliInstanceID(random: random)
    instanceID = name
    return name
  }

  /// Keeps a link for the next request; the last one wins.
  package mutating func put(_ link: BiqliDeepLink) {
    self.link = link
  }

  /// Keeps a token for the next request; the last one wins.
  package mutating func put(_ token: BiqliHandoffToken) {
    self.token = token
  }
}
