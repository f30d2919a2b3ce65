import BiqliEngine
import SecureMemory
import WireCoding

extension FuzzTarget {
  /// Biqli: texts are kept as they came; an answer that is taken has no receipt left in it; a stored
  /// record that is read is written the same.
  static let biqli = FuzzTarget(
    "biqli",
    words: [
      "\"attributionReceipt\":", "\"attribution\\u0052eceipt\":\"r\",", "{\"open\":{",
      "\"requestId\":",
      "\"none\"", "null", "[", "]", "1.5e3", "\\u0000", "https://", ".example", ":443", "@", "%",
      "bqmh_", "open_", "\u{0}\u{0}\u{0}\u{1}", "LKBQ\u{1}",
    ]
  ) { input in
    BiqliChecks.checkAnswer(input)
    BiqliChecks.checkRecord(input)
    let token = try? BiqliHandoffToken(input)
    if let token { require(copy(token.secret) == copy(input), "a token is kept as it came") }
    guard let text = String(validating: copy(input), as: UTF8.self) else {
      return require(token == nil, "a token is text")
    }
    if let link = try? BiqliDeepLink(input) {
      require(copy(link.secret) == copy(input) && input.count <= 8_192, "a link is kept as it came")
      let name = String(decoding: copy(link.host), as: UTF8.self)
      require((try? BiqliDomain(name))?.description == name, "its host is a domain")
      require(text.lowercased().hasPrefix("https://"), "https alone")
    }
    if let domain = try? BiqliDomain(text) {
      let octets = domain.description.utf8
      require(octets.count <= 253 && octets.allSatisfy { $0 < 0x80 }, "a short name in ASCII")
      let same = try? BiqliDomain(domain.description)
      require(same == domain, "a domain has one text")
    }
    let kept = [
      (try? BiqliAppID(text))?.description, (try? BiqliPublishableKey(text))?.description,
      token.map { _ in text }, (try? BiqliInstanceID(text))?.description,
      (try? BiqliEventID(text))?.description, (try? BiqliRequestID(text))?.description,
    ].compactMap(\.self)
    require(kept.isEmpty || kept == [text], "a text is one thing at most")
  }
}

private func copy(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { copy($0) } }

private func copy(_ secret: BiqliSecret) -> [UInt8] { copy(secret.bytes) }

private enum BiqliChecks {
  /// The input is a response body.
  static func checkAnswer(_ input: Span<UInt8>) {
    do throws(BiqliError) {
      let answer = try BiqliAnswer(input)
      let json = answer.result.json
      require(json.count <= input.count && json.count <= BiqliResult.maximumCount, "no longer")
      let again = try BiqliAnswer(json.span)
      require(
        again.receipt == nil && again.result == answer.result, "nothing is left to be taken out")
    } catch {
      guard case .parameter(let name, _) = error else { return require(false, "a field is named") }
      require(name == "result" || name.hasPrefix("result."), "the field, or a path in it")
    }
  }

  /// The input is the stored form of a record.
  static func checkRecord(_ input: Span<UInt8>) {
    guard var record = try? BiqliRecord(encoded: input) else { return }
    guard let content = try? record.encode() else { return require(false, "there is memory") }
    require(copy(content) == copy(input), "one form for each record")
    let pending = record.pending
    record.expire(at: .latest)
    require(record.pending == pending, "housekeeping leaves what is pending")
    guard let pending else { return }
    let failure = try? BiqliFailure(status: 503, code: nil)
    require(failure.map { record.fail(pending.eventID, $0) } == .kept, "a failure that may pass")
    require(record.dropPending(pending.eventID) && record.pending == nil, "dropped once")
    require(!record.dropPending(pending.eventID), "and not twice")
  }
}
