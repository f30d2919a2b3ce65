/// A few known strings, such as the members of an object, found without an allocation.
public final class JSONNameTable: Sendable {
  /// The strings, in the order given.
  public let names: [String]
  private let octets: [[UInt8]]
  /// The first octets and the length of each string, which tell nearly all of them apart.
  private let keys: [UInt64]

  /// Makes a table.
  ///
  /// - Parameter names: the strings, no two equal.
  public init(_ names: [String]) {
    self.names = names
    octets = names.map { Array($0.utf8) }
    keys = octets.map { Self.key($0.span) }
  }

  /// Finds a string of a text.
  ///
  /// - Parameters:
  ///   - token: the string.
  ///   - reader: the reader of its text.
  /// - Returns: its place in ``names``, or `nil`.
  public func index(of token: JSONString, in reader: borrowing JSONReader) -> Int? {
    guard !token.hasEscapes else {
      // Rare, and the comparison undoes the escapes.
      return octets.firstIndex(of: reader.octets(token))
    }
    let text = reader.raw(token)
    let key = Self.key(text)
    for index in keys.indices where keys[index] == key {
      if reader.matches(token, octets[index]) { return index }
    }
    return nil
  }

  private static func key(_ text: Span<UInt8>) -> UInt64 {
    var key = UInt64(truncatingIfNeeded: text.count)
    for index in 0..<min(text.count, 7) { key = key << 8 | UInt64(text[index]) }
    return key
  }
}
