package import SecureMemory
import WireCoding

/// The stored form of a record. Equal records have equal octets, and other octets do not decode:
///
/// `"LKBQ" ‖ 1 ‖ which there are 1 (bit 0–7: publishable key, instance, window, completed, result, link,
/// token, pending) ‖ app ‖ digest of the marker`, then in that order what there is, completed having
/// nothing: texts and JSON; the window's start in 8 octets; of the pending request its event, request,
/// body, the time it was made in 8 octets, attempts in 4, what it has in 1 (bit 0–2: link, token,
/// probabilistic matching allowed), and its link and token. Octet strings and texts have their length in
/// four octets before them; all numbers are big-endian, times in seconds since 1970.
///
/// Secrets go from guarded memory into guarded memory.
extension BiqliRecord {
  private static let mark = Array("LKBQ".utf8)

  /// Makes the stored form.
  ///
  /// - Returns: its octets.
  /// - Throws: ``BiqliError/memoryExhausted``.
  package func encode() throws(BiqliError) -> SecretBytes {
    var writer = BiqliRecordWriter()
    writer.append(Self.mark)
    writer.uint8(1)
    writer.flags(
      publishableKey != nil, instanceID != nil, windowStart != nil, isCompleted,
      cachedResult != nil, link != nil, token != nil, pending != nil)
    writer.text(appID.description)
    writer.prefixed(marker.digest)
    if let publishableKey { writer.text(publishableKey.description) }
    if let instanceID { writer.text(instanceID.description) }
    if let windowStart { writer.time(windowStart) }
    if let cachedResult { writer.prefixed(cachedResult.json) }
    if let link { writer.secret(link.secret) }
    if let token { writer.secret(token.secret) }
    if let pending { writer.request(pending) }
    return try writer.finish()
  }

  /// Reads the stored form.
  ///
  /// - Parameter bytes: exactly what ``encode()`` gave.
  /// - Throws: ``BiqliError/damaged`` when they are anything else, ``BiqliError/memoryExhausted``.
  package init(encoded bytes: Span<UInt8>) throws(BiqliError) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.bytes(4) == Self.mark, try reader.uint8() == 1 else {
        throw BiqliError.damaged
      }
      let flags = try reader.uint8()
      func has(_ bit: UInt8) -> Bool { flags & 1 << bit != 0 }
      let appID = try BiqliAppID(try reader.text())
      guard let marker = BiqliMarker(digest: try reader.prefixed()) else {
        throw BiqliError.damaged
      }
      let key = has(0) ? try BiqliPublishableKey(try reader.text()) : nil
      self.init(appID: appID, publishableKey: key, marker: marker)
      if has(1) { instanceID = try BiqliInstanceID(try reader.text()) }
      if has(2) { windowStart = try reader.time() }
      isCompleted = has(3)
      if has(4) {
        guard let result = BiqliResult(stored: try reader.prefixed()) else {
          throw BiqliError.damaged
        }
        cachedResult = result
      }
      if has(5) { link = try reader.link() }
      if has(6) { token = try reader.token() }
      if has(7) { pending = try reader.request() }
      try reader.finish()
    } catch BiqliError.memoryExhausted {
      throw .memoryExhausted
    } catch {
      throw .damaged
    }
  }
}

extension ByteReader {
  fileprivate mutating func link() throws -> BiqliDeepLink {
    let count = try uint32()
    return try BiqliDeepLink(span(Int(count)))
  }

  fileprivate mutating func token() throws -> BiqliHandoffToken {
    let count = try uint32()
    return try BiqliHandoffToken(span(Int(count)))
  }

  fileprivate mutating func secret() throws -> BiqliSecret {
    let count = try uint32()
    return try BiqliSecret(copying: span(Int(count)))
  }

  fileprivate mutating func prefixed() throws(WireCodingError) -> [UInt8] {
    let count = try uint32()
    return try bytes(Int(count))
  }

  fileprivate mutating func text() throws -> String {
    guard let text = String(validating: try prefixed(), as: UTF8.self) else {
      throw BiqliError.damaged
    }
    return text
  }

  fileprivate mutating func time() throws -> Timestamp {
    guard let time = Timestamp(seconds: Int64(bitPattern: try uint64())) else {
      throw BiqliError.damaged
    }
    return time
  }

  fileprivate mutating func request() throws -> BiqliPendingRequest {
    let eventID = try BiqliEventID(try text())
    let requestID = try BiqliRequestID(try text())
    let body = try secret()
    let madeAt = try time()
    let attempts = try uint32()
    let flags = try uint8()
    guard flags < 8 else { throw BiqliError.damaged }
    let link = flags & 1 == 0 ? nil : try link()
    let token = flags & 2 == 0 ? nil : try token()
    return BiqliPendingRequest(
      eventID: eventID, requestID: requestID, body: body, madeAt: madeAt, link: link, token: token,
      isProbabilisticAllowed: flags & 4 != 0, attempts: attempts)
  }
}
