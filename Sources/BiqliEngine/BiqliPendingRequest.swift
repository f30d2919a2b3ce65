package import WireCoding

/// A request that was stored to be sent, and of which nobody knows yet how it went.
package struct BiqliPendingRequest: Equatable, Sendable {
  /// The event it tells of, which is its idempotency key.
  package let eventID: BiqliEventID
  /// Its name, which is sent as a header.
  package let requestID: BiqliRequestID
  /// The body, JSON in UTF-8, which is sent as it is each time.
  package let body: BiqliSecret
  /// When it was made; its age counts from there.
  ///
  /// A time that has not come yet becomes the present one when the request is handed out again.
  package internal(set) var madeAt: Timestamp
  /// The link in it.
  package let link: BiqliDeepLink?
  /// The token in it.
  package let token: BiqliHandoffToken?
  /// What it says of probabilistic matching.
  package let isProbabilisticAllowed: Bool
  /// How often it was handed out to be sent; it stays at its largest value.
  package internal(set) var attempts: UInt32
}
