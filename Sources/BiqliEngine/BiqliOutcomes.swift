package import WireCoding

/// How a record was opened.
package enum BiqliOpening: String, Hashable, Sendable {
  /// There was none, and it was made.
  case created
  /// It was another installation's, and was made anew.
  case reset
  /// It is this installation's.
  case unchanged
  /// It is this installation's, and has another publishable key now.
  case keyReplaced = "key_replaced"
}

/// Where the request that is to be sent comes from.
package enum BiqliBeginning: String, Hashable, Sendable {
  /// It is a new one.
  case new
  /// It is the stored one, octet for octet.
  case resumed
  /// It is a new one: a link or token came after the one that was pending.
  case replaced
  /// It is a new one: the pending one says that probabilistic matching is allowed, and it is no more.
  case consentWithdrawn = "consent_withdrawn"
  /// It is a new one: the pending one had become too old, ``BiqliRecord/pendingLifetime``.
  case expired
}

/// What an answer of the service did.
package enum BiqliCompletionReport: String, Hashable, Sendable {
  /// Nothing: the event is not the pending one.
  case stale
  /// It was a match, which is kept; first open is over.
  case matched
  /// It was no match; nothing is pending.
  case unmatched
}

/// What the report of a failure did.
package enum BiqliFailureReport: String, Hashable, Sendable {
  /// Nothing: the event is not the pending one.
  case stale
  /// The failure was final; nothing is pending.
  case dropped
  /// The failure may pass; the request stays as it is.
  case kept
}

/// Whether opening the app now would be its first open.
package enum BiqliWindow: Hashable, Sendable {
  /// It would, until this time.
  case open(until: Timestamp)
  /// It would not, after a match or 24 hours.
  case closed
}

/// The random octets for all the identifiers that a request may need.
package struct BiqliRandom: Sendable {
  let instance: InlineArray<16, UInt8>
  let event: InlineArray<16, UInt8>
  let request: InlineArray<16, UInt8>

  /// Takes random octets, which are used for nothing else.
  ///
  /// - Parameters:
  ///   - instance: for the instance ID, when there is none yet.
  ///   - event: for the event ID.
  ///   - request: for the request ID.
  package init(
    instance: InlineArray<16, UInt8>, event: InlineArray<16, UInt8>,
    request: InlineArray<16, UInt8>
  ) {
    self.instance = instance
    self.event = event
    self.request = request
  }
}
