/// What a member may hold; sizes count octets.
public indirect enum FieldKind: Hashable, Sendable {
  /// Printable ASCII of so many characters.
  case text(ClosedRange<Int>)
  /// Lines of UTF-8 text of so many octets; which characters may stand there is for whoever reads the
  /// lines to say, and where one does not.
  case lines(ClosedRange<Int>)
  /// `true` or `false`.
  case boolean
  /// An integer within a range.
  case integer(ClosedRange<Int64>)
  /// An integer within a range, which may come as a string of its decimal digits.
  case integerOrText(ClosedRange<Int64>)
  /// Octets as canonical base64; the count is a multiple of `multipleOf`.
  case base64(ClosedRange<Int>, multipleOf: Int)
  /// So many octets as lower-case hexadecimal digits.
  case hex(Int)
  /// So many octets as hexadecimal digits of either case.
  case digits(Int)
  /// The address of a lock: 12 hexadecimal digits of either case, or six pairs of them with colons.
  case lockAddress
  /// One of these words.
  case choice([String])
  /// The name of a namespace.
  case namespace
  /// The beginning of a namespace's name.
  case namespacePrefix
  /// A second of UTC, as RFC 3339.
  case timestamp
  /// An object with these members.
  case object([Field])
  /// An array of so many elements.
  case array(FieldKind, ClosedRange<Int>)
  /// UTF-8 text of so many octets, which goes straight into guarded memory.
  case secretText(ClosedRange<Int>)
  /// So many octets as canonical base64, which go straight into guarded memory.
  case secretBase64(Int)
  /// So many octets as hexadecimal digits of either case, which go straight into guarded memory.
  case secretHex(Int)

  /// Octets as canonical base64.
  ///
  /// - Parameter range: how many octets.
  /// - Returns: the kind.
  static func base64(_ range: ClosedRange<Int>) -> FieldKind {
    .base64(range, multipleOf: 1)
  }

  /// The rule in words that follow "must be".
  public var rule: String {
    switch self {
    case .text(let range): "\(Self.words(range)) printable ASCII characters"
    case .lines(let range):
      "\(Self.words(range)) octets of UTF-8 text"
    case .boolean: "true or false"
    case .integer(let range):
      "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .integerOrText(let range):
      "an integer from \(range.lowerBound) to \(range.upperBound), or a string of its digits"
    case .base64(let range, let multiple):
      "\(Self.words(range)) octets in canonical base64"
        + (multiple == 2 ? ", an even number" : "")
    case .hex(let count): "\(count * 2) lower-case hexadecimal digits"
    case .digits(let count): "\(count * 2) hexadecimal digits"
    case .lockAddress: "12 hexadecimal digits, or six pairs of them with colons"
    case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .namespace:
      "a namespace name: up to 128 octets, up to 8 segments of [a-z0-9][a-z0-9._-]{0,62} "
        + "joined by /"
    case .namespacePrefix: "the beginning of a namespace name"
    case .timestamp: "a time such as 2026-01-15T08:30:00Z"
    case .object: "an object"
    case .array(_, let range): "an array of \(Self.words(range)) elements"
    case .secretText(let range): "a string of \(Self.words(range)) octets of UTF-8"
    case .secretBase64(let count): "\(count) octets in canonical base64"
    case .secretHex(let count): "\(count * 2) hexadecimal digits"
    }
  }

  /// Whether a value of this kind is a secret, or has one within.
  var holdsSecret: Bool {
    switch self {
    case .secretText, .secretBase64, .secretHex: true
    case .object(let fields): fields.contains { $0.kind.holdsSecret }
    case .array(let element, _): element.holdsSecret
    default: false
    }
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }
}
