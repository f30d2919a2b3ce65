/// Decodes one CBOR item that is in canonical form: definite lengths, every number and length in
/// its shortest form, no key twice in a map, valid UTF-8, nothing after the item.
///
/// libcbor reads the heads; depth, counts and form are checked here. The order of keys is not:
/// the documents are signed as they are, and their issuers do not agree on one.
package struct CBORDecoder {
  /// The most octets that are looked at.
  static let sizeLimit = 64 << 10
  /// The deepest nesting.
  static let depthLimit = 16
  /// The most items, keys included.
  static let itemLimit = 8192

  private let bytes: [UInt8]
  private var offset = 0
  private var items = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Decodes octets that are exactly one item.
  ///
  /// - Parameter bytes: the octets.
  /// - Returns: the item; its positions count from the start of `bytes`.
  /// - Throws: ``DocumentFlaw/tooLarge(_:)`` or ``DocumentFlaw/notCanonical(offset:)``.
  package static func decode(_ bytes: [UInt8]) throws(DocumentFlaw) -> CBORItem {
    guard bytes.count <= sizeLimit else { throw .tooLarge(bytes.count) }
    var decoder = CBORDecoder(bytes)
    let item = try decoder.item(depth: 0)
    guard decoder.offset == bytes.count else { throw .notCanonical(offset: decoder.offset) }
    return item
  }

  private mutating func item(depth: Int) throws(DocumentFlaw) -> CBORItem {
    let start = offset
    items += 1
    guard depth < Self.depthLimit, items <= Self.itemLimit,
      let (token, read) = CBORToken.read(in: bytes, at: start)
    else { throw .notCanonical(offset: start) }
    offset = start + read
    try checkHead(of: token, read: read, at: start)
    let content = try content(of: token, start: start, depth: depth)
    return CBORItem(content: content, encoding: start..<offset)
  }

  /// Refuses every head that could have been shorter.
  private func checkHead(of token: CBORToken, read: Int, at start: Int) throws(DocumentFlaw) {
    let shortest: Int
    switch token.kind {
    case .unsigned, .negative, .array, .map, .tag:
      shortest = CBORToken.shortestHead(token.value)
    case .bytes, .text:
      // libcbor found the whole string, so its length is at most the number of octets read.
      guard token.value <= UInt64(read) else { throw .notCanonical(offset: start) }
      shortest = CBORToken.shortestHead(token.value) + Int(token.value)
    case .boolean, .null, .undefined:
      shortest = 1
    case .float:
      return
    case .indefinite:
      throw .notCanonical(offset: start)
    }
    guard read == shortest else { throw .notCanonical(offset: start) }
  }

  private mutating func content(
    of token: CBORToken, start: Int, depth: Int
  ) throws(DocumentFlaw) -> CBORItem.Content {
    switch token.kind {
    case .unsigned: return .unsigned(token.value)
    case .negative: return .negative(token.value)
    case .bytes: return .bytes(Array(string(token)))
    case .text:
      guard let text = String(validating: string(token), as: UTF8.self) else {
        throw .notCanonical(offset: start)
      }
      return .text(text)
    case .array:
      // Each item takes an octet at least: a larger count cannot be true.
      guard token.value <= UInt64(bytes.count - offset) else { throw .notCanonical(offset: start) }
      var array: [CBORItem] = []
      for _ in 0..<token.value { array.append(try item(depth: depth + 1)) }
      return .array(array)
    case .map:
      guard token.value <= UInt64(bytes.count - offset) else { throw .notCanonical(offset: start) }
      return .map(try pairs(token.value, depth: depth))
    case .tag: return .tagged(token.value, try item(depth: depth + 1))
    case .boolean: return .boolean(token.value == 1)
    case .null: return .null
    case .undefined: return .undefined
    case .float: return .float(Double(bitPattern: token.value))
    case .indefinite: throw .notCanonical(offset: start)
    }
  }

  private mutating func pairs(
    _ count: UInt64, depth: Int
  ) throws(DocumentFlaw) -> [CBORItem.Pair] {
    var pairs: [CBORItem.Pair] = []
    // Since every encoding is the shortest one, equal keys are equal octets.
    var keys: Set<ArraySlice<UInt8>> = []
    for _ in 0..<count {
      let key = try item(depth: depth + 1)
      guard keys.insert(bytes[key.encoding]).inserted else {
        throw .notCanonical(offset: key.encoding.lowerBound)
      }
      pairs.append(CBORItem.Pair(key: key, value: try item(depth: depth + 1)))
    }
    return pairs
  }

  /// The octets of the string that was just read; ``checkHead(of:read:at:)`` has proven its length.
  private func string(_ token: CBORToken) -> ArraySlice<UInt8> {
    bytes[(offset - Int(token.value))..<offset]
  }
}
