import WireCoding

extension FuzzTarget {
  /// The reader of JSON texts: what it takes, it writes and takes again, unchanged.
  static let json = FuzzTarget(
    "json",
    words: [
      "{", "}", "[", "]", "\"", ",", ":", "\\u0000", "\\ud800", "\\udc00", "\\u00e9", "true",
      "null", "9007199254740992", "9007199254740993", "-0", "1e5", "\u{FEFF}", "\\", "\"a\":",
    ]
  ) { input in
    do throws(WireCodingError) {
      let value = try JSONValue(input)
      var writer = JSONWriter()
      value.encode(into: &writer)
      require((try? JSONValue(writer.bytes.span)) == value, "a value written is read back")
      var reader = JSONReader(input)
      try reader.skipValue()
      try reader.finish()
      require(JSONTarget.isUTF8(input), "what is accepted is UTF-8")
    } catch {
      guard case .json(_, let offset) = error else {
        return require(false, "a reader of JSON has faults of JSON")
      }
      require(offset >= 0 && offset <= input.count, "the offset lies within the text")
    }
  }
}

private enum JSONTarget {
  static func isUTF8(_ input: Span<UInt8>) -> Bool {
    String(validating: copy(input), as: UTF8.self) != nil
  }
}
