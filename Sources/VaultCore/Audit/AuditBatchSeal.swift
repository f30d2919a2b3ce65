import VaultCrypto
import WireCoding

/// The line that closes a batch in the segment.
struct AuditBatchSeal: Hashable, Sendable {
  var number: Int64
  var first: Int64
  var last: Int64
  var head: [UInt8]
  var mac: [UInt8]

  /// How such a line starts; an audit line starts with `{"seq":`.
  static let prefix = Array(#"{"batch":"#.utf8)

  init(number: Int64, first: Int64, last: Int64, head: [UInt8], mac: [UInt8]) {
    self.number = number
    self.first = first
    self.last = last
    self.head = head
    self.mac = mac
  }

  /// Reads a line without its line feed.
  ///
  /// - Returns: `nil` when it is not exactly what ``line`` writes, or has a number that no batch or
  ///   line has: whoever wrote it, counting on from one must not overflow.
  init?(line: [UInt8]) {
    let text = String(decoding: line, as: UTF8.self)
    let parts = text.split(whereSeparator: { "{}:,\"".contains($0) })
    guard parts.count == 10, let number = Int64(parts[1]), let first = Int64(parts[3]),
      let last = Int64(parts[5]), let head = try? Hex.decode(String(parts[7])),
      let mac = try? Hex.decode(String(parts[9])), head.count == 32, mac.count == 32,
      [number, first, last].allSatisfy(AuditChain.numbers.contains)
    else { return nil }
    self.init(number: number, first: first, last: last, head: head, mac: mac)
    // Writing it again and comparing is the whole grammar check.
    guard self.line.dropLast().elementsEqual(line) else { return nil }
  }

  /// The line with its line feed.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.name("batch")
    json.integer(number)
    json.name("first")
    json.integer(first)
    json.name("last")
    json.integer(last)
    json.name("head")
    json.hex(head.span)
    json.name("mac")
    json.hex(mac.span)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// What the MAC covers: fixed-length fields, so that no two batches encode alike.
  ///
  /// The head of the chain stands for the lines.
  func macInput(_ vaultID: [UInt8]) -> [UInt8] {
    var message = CanonicalEncoder("latchkey audit batch", reservingCapacity: 160)
    message.octets(vaultID)
    message.integer(number)
    message.integer(first)
    message.integer(last)
    message.octets(head)
    return message.bytes
  }

  /// Whether this vault wrote the line.
  func isAuthentic(_ unsealed: UnsealedLedger) -> Bool {
    unsealed.keys.audit.isValid(mac.span, for: macInput(unsealed.vaultID).span)
  }
}
