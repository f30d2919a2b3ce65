/// One decoded CBOR data item and where its encoding stands in the decoded octets.
///
/// The position is kept because digests and signatures in a document cover octets, not meanings.
package struct CBORItem: Sendable {
  /// What an item can be.
  indirect enum Content: Sendable {
    case unsigned(UInt64)
    /// The number −1 − n, for the n held here.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORItem])
    case map([Pair])
    case tagged(UInt64, CBORItem)
    case boolean(Bool)
    case null
    case undefined
    case float(Double)
  }

  /// A key and its value in a map.
  struct Pair: Sendable {
    let key: CBORItem
    let value: CBORItem
  }

  let content: Content
  /// Where it stands in the decoded octets.
  package let encoding: Range<Int>

  /// The number, when it is not negative.
  var unsigned: UInt64? {
    guard case .unsigned(let value) = content else { return nil }
    return value
  }

  /// The number as a signed one, when it is one and fits.
  var integer: Int64? {
    switch content {
    case .unsigned(let value): Int64(exactly: value)
    case .negative(let value): Int64(exactly: value).map { -1 - $0 }
    default: nil
    }
  }

  var bytes: [UInt8]? {
    guard case .bytes(let value) = content else { return nil }
    return value
  }

  var text: String? {
    guard case .text(let value) = content else { return nil }
    return value
  }

  var boolean: Bool? {
    guard case .boolean(let value) = content else { return nil }
    return value
  }

  /// The items, when it is an array.
  package var array: [CBORItem]? {
    guard case .array(let value) = content else { return nil }
    return value
  }

  var map: [Pair]? {
    guard case .map(let value) = content else { return nil }
    return value
  }

  /// The item under a tag, when it is this one.
  func tagged(_ number: UInt64) -> CBORItem? {
    guard case .tagged(number, let item) = content else { return nil }
    return item
  }

  /// The value for a text key, when this is a map that has it.
  package subscript(_ key: String) -> CBORItem? {
    map?.first { $0.key.text == key }?.value
  }

  /// The value for a number key, when this is a map that has it.
  subscript(_ key: Int64) -> CBORItem? {
    map?.first { $0.key.integer == key }?.value
  }
}
