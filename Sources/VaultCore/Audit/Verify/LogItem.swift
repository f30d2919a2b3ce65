import VaultCrypto
import WireCoding

/// One line of the log's text, whatever it is.
struct LogItem {
  /// What kind of line it is.
  enum Kind {
    /// A line that tells of a call.
    case line(Line)
    /// The closing line of a batch.
    case seal(AuditBatchSeal)
    case checkpoint(AuditCheckpoint)
    case pruned(AuditPruneRecord)
    /// None that the grammar has.
    case other
  }

  /// What the chain needs of a line.
  struct Line {
    var sequence: Int64
    var time: Timestamp
    /// The digest of the line before it.
    var previous: [UInt8]
  }

  /// Where it begins.
  let place: LogPlace
  /// Where the next one begins.
  let next: LogPlace
  /// The text without its line feed.
  let octets: [UInt8]
  /// Whether a line feed ends it; otherwise the file does.
  let isWhole: Bool
  let kind: Kind

  /// The longest line that is looked at, in octets; those that a vault writes are far shorter.
  static let longest = 64 << 10

  /// Recognises a line.
  init(_ octets: [UInt8], isWhole: Bool, at place: LogPlace, next: LogPlace) {
    self.place = place
    self.next = next
    self.octets = octets
    self.isWhole = isWhole
    kind = Kind(octets)
  }

  /// Whether no vault writes a line as long; no more of it was read than it takes to tell.
  var isTooLong: Bool { octets.count > Self.longest }

  /// The same line as if its last octet were the line feed.
  var withoutLast: LogItem {
    LogItem(Array(octets.dropLast()), isWhole: true, at: place, next: next)
  }

  /// The digest that the next line names.
  var digest: [UInt8] { BLAKE2b.hash(octets.span) }

  /// Whether it is, or once was, a checkpoint: a changed octet or two do not hide its beginning.
  var resemblesCheckpoint: Bool {
    let prefix = AuditCheckpoint.prefix
    return zip(octets, prefix).count { $0 == $1 } >= prefix.count - 4
  }
}

extension LogItem.Kind {
  init(_ octets: [UInt8]) {
    self =
      if octets.count > LogItem.longest {
        .other
      } else if octets.starts(with: LogItem.Line.prefix) {
        LogItem.Line(octets.span).map { .line($0) } ?? .other
      } else if octets.starts(with: AuditBatchSeal.prefix) {
        AuditBatchSeal(line: octets).map { .seal($0) } ?? .other
      } else if octets.starts(with: AuditCheckpoint.prefix) {
        AuditCheckpoint(line: octets).map { .checkpoint($0) } ?? .other
      } else if octets.starts(with: AuditPruneRecord.prefix) {
        AuditPruneRecord(line: octets).map { .pruned($0) } ?? .other
      } else {
        .other
      }
  }
}

extension LogItem.Line {
  /// How a line begins.
  static let prefix = Array(#"{"seq":"#.utf8)
  private static let time = Array(#","time":""#.utf8)
  private static let previous = Array(#","prev":""#.utf8)
  /// The digest, a quotation mark and a brace.
  private static let tail = 66

  /// Reads what the chain needs: `{"seq":N,"time":"…", … ,"prev":"…"}`, with no brace in between, so
  /// that two lines never pass for one.
  ///
  /// - Returns: `nil` for another form. What else stands in between is the business of others.
  init?(_ text: Span<UInt8>) {
    var offset = Self.prefix.count
    var number: Int64 = 0
    while offset < text.count, number <= AuditChain.numbers.upperBound,
      case let digit = text[offset] &- UInt8(ascii: "0"), digit < 10, number > 0 || digit > 0
    {
      number = number * 10 + Int64(digit)
      offset += 1
    }
    let end = text.count - Self.tail - Self.previous.count
    guard AuditChain.numbers.contains(number),
      offset + Self.time.count + 21 <= end, Self.holds(text, Self.time, at: offset),
      let time = try? Timestamp(
        text.extracting((offset + Self.time.count)...).extracting(first: 20)),
      text[offset + Self.time.count + 20] == UInt8(ascii: "\""),
      Self.holds(text, Self.previous, at: end), text[text.count - 2] == UInt8(ascii: "\""),
      text[text.count - 1] == UInt8(ascii: "}"),
      let previous = try? Hex.decode(
        text.extracting(text.count - Self.tail..<text.count - 2))
    else { return nil }
    for index in 1..<text.count - 1
    where text[index] == UInt8(ascii: "{") || text[index] == UInt8(ascii: "}") { return nil }
    sequence = number
    self.time = time
    self.previous = previous
  }

  private static func holds(_ text: Span<UInt8>, _ part: [UInt8], at offset: Int) -> Bool {
    for index in part.indices where text[offset + index] != part[index] { return false }
    return true
  }
}
