/// What the service answered to a request, without the receipt: JSON without white space.
///
/// Only ``BiqliAnswer`` makes one, so that no receipt gets into a record.
package struct BiqliResult: Hashable, Sendable {
  /// The most octets of an answer.
  package static let maximumCount = 65_536

  /// The JSON, in UTF-8.
  package let json: [UInt8]
  /// Whether the event was matched with a click.
  package let isMatch: Bool

  init(json: [UInt8], isMatch: Bool) {
    self.json = json
    self.isMatch = isMatch
  }

  /// Takes a stored result; `nil` unless it is one as ``BiqliAnswer`` makes them, free of receipts.
  init?(stored json: [UInt8]) {
    guard let answer = try? BiqliAnswer(json.span), answer.result.json == json else { return nil }
    self = answer.result
  }
}
