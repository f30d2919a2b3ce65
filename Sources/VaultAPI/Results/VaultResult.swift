public import WireCoding

/// What a method returns, or a part of it.
public protocol VaultResult: Sendable {
  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  func encode(into writer: inout JSONWriter)
}

extension JSONWriter {
  /// Writes an array of strings.
  mutating func strings(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
