import SecureMemory
package import WireCoding

extension BiqliRecord {
  /// Gives the request that is to be sent: the pending one as it is, or a new one.
  ///
  /// - Parameters:
  ///   - fields: what the client says of itself, for a new request.
  ///   - now: the vault's time.
  ///   - random: random octets, for a new request.
  /// - Returns: where the request comes from, and the request, which is the record's pending one.
  /// - Throws: ``BiqliError/memoryExhausted``; the record is as it was.
  package mutating func begin(
    _ fields: BiqliRequestFields, at now: Timestamp, random: BiqliRandom
  ) throws(BiqliError) -> (beginning: BiqliBeginning, request: BiqliPendingRequest) {
    let beginning = pending.map { reason(toReplace: $0, fields, at: now) } ?? .new
    if beginning == .resumed, var request = pending {
      request.attempts += request.attempts < .max ? 1 : 0
      // Made by a clock that was ahead, it would not grow old.
      request.madeAt = min(request.madeAt, now)
      pending = request
      return (.resumed, request)
    }
    var changed = self
    let request = try changed.makeRequest(fields, at: now, random: random)
    changed.pending = request
    self = changed
    return (beginning, request)
  }

  /// Settles the pending event with the service's answer.
  ///
  /// The receipt of the answer is the caller's to pass on, unless the report is stale.
  ///
  /// - Parameters:
  ///   - eventID: the event that was answered.
  ///   - result: the answer.
  /// - Returns: what it did.
  package mutating func complete(
    _ eventID: BiqliEventID, with result: BiqliResult
  ) -> BiqliCompletionReport {
    guard let request = settle(eventID) else { return .stale }
    erase(request.link)
    guard result.isMatch else {
      erase(request.token)
      return .unmatched
    }
    cachedResult = result
    isCompleted = true
    // First open is what a token is for, and it is over.
    token = nil
    return .matched
  }

  /// Notes that sending failed; a final refusal settles the event.
  ///
  /// - Parameters:
  ///   - eventID: the event that was sent.
  ///   - failure: how it failed.
  /// - Returns: what it did.
  package mutating func fail(
    _ eventID: BiqliEventID, _ failure: BiqliFailure
  ) -> BiqliFailureReport {
    guard pending?.eventID == eventID else { return .stale }
    guard failure.isTerminal, let request = settle(eventID) else { return .kept }
    switch failure.code {
    case "resource_not_found": erase(request.token)
    case "handoff_mismatch": erase(request.link)
    default: break
    }
    return .dropped
  }

  /// Gives the pending request up, for an operator who sees that it is stuck; link and token stay.
  ///
  /// - Parameter eventID: the event it tells of.
  /// - Returns: whether it was the pending one.
  package mutating func dropPending(_ eventID: BiqliEventID) -> Bool {
    settle(eventID) != nil
  }

  /// Takes the pending request away if it tells of this event.
  private mutating func settle(_ eventID: BiqliEventID) -> BiqliPendingRequest? {
    guard let request = pending, request.eventID == eventID else { return nil }
    pending = nil
    return request
  }

  /// Erases the link that was sent, and not one that came since.
  private mutating func erase(_ sent: BiqliDeepLink?) {
    if let sent, link == sent { link = nil }
  }

  /// Erases the token that was sent, and not one that came since.
  private mutating func erase(_ sent: BiqliHandoffToken?) {
    if let sent, token == sent { token = nil }
  }

  private func reason(
    toReplace request: BiqliPendingRequest, _ fields: BiqliRequestFields, at now: Timestamp
  ) -> BiqliBeginning {
    if let link, link != request.link { return .replaced }
    if let token, token != request.token { return .replaced }
    if request.isProbabilisticAllowed, !fields.isProbabilisticAllowed { return .consentWithdrawn }
    let age = now.seconds - request.madeAt.seconds
    return age >= Self.pendingLifetime ? .expired : .resumed
  }

  private mutating func makeRequest(
    _ fields: BiqliRequestFields, at now: Timestamp, random: BiqliRandom
  ) throws(BiqliError) -> BiqliPendingRequest {
    let instanceID = instance(random: random.instance)
    let isFirstOpen = window(at: now) != .closed
    let eventID = BiqliEventID(random: random.event)
    do {
      // Links and tokens have nothing that is escaped; all the rest is less than the constant.
      var body = try SecretJSONWriter(capacity: 1_536 + (link?.secret.bytes.count ?? 0))
      body.beginObject()
      body.member("eventId", eventID.description)
      body.member("appId", appID.description)
      body.member("appInstanceId", instanceID.description)
      body.member("platform", fields.platform.rawValue)
      body.name("firstOpen")
      body.boolean(isFirstOpen)
      body.name("probabilisticAllowed")
      body.boolean(fields.isProbabilisticAllowed)
      // Fields without a value are left out.
      body.member("handoffToken", token?.secret)
      body.member("deepLink", link?.secret)
      if let link {
        body.member("domain", link.host)
      } else {
        body.member("domain", fields.domain?.description)
      }
      body.member("appVersion", fields.appVersion)
      body.member("osVersion", fields.osVersion)
      body.member("sdkVersion", fields.sdkVersion)
      body.member("occurredAt", now.description)
      body.endObject()
      let line = try body.finish()
      return BiqliPendingRequest(
        eventID: eventID, requestID: BiqliRequestID(random: random.request),
        body: try line.withBytes { octets throws(BiqliError) in try BiqliSecret(copying: octets) },
        madeAt: now, link: link, token: token,
        isProbabilisticAllowed: fields.isProbabilisticAllowed, attempts: 1)
    } catch {
      throw .memoryExhausted
    }
  }
}

extension SecretJSONWriter {
  /// Writes a member with a text, or nothing.
  fileprivate mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  /// Writes a member with a secret text, or nothing.
  fileprivate mutating func member(_ name: StaticString, _ text: BiqliSecret?) {
    guard let text else { return }
    self.name(name)
    string(secret: text.bytes)
  }
}
