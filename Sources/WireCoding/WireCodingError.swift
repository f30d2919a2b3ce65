public import SecureMemory

/// Why octets or text were not what the format asks for.
///
/// Offsets count octets from the start of the input that was given. No case carries input octets,
/// so that an error may be logged even when the input held a secret.
public enum WireCodingError: Error, Hashable, Sendable {
  /// The input ended at `offset`, where more was due.
  case truncated(offset: Int)
  /// The value was complete at `offset`, and more octets followed.
  case trailingBytes(offset: Int)
  /// The character at `offset` is not a hexadecimal digit in the expected case, or the count is odd.
  case invalidHex(offset: Int)
  /// The text is not canonical standard base64: a foreign character, missing or early padding, or
  /// pad bits that are not zero.
  case invalidBase64(offset: Int)
  /// The text is not `YYYY-MM-DDTHH:MM:SSZ`, or names a day or time that does not exist.
  case invalidTimestamp(offset: Int)
  /// The text is not a namespace name.
  case invalidNamespace(offset: Int)
  /// The JSON text is refused.
  case json(JSONFault, offset: Int)
  /// A fixed buffer of `capacity` octets is too small for what was written.
  case bufferFull(capacity: Int)
  /// No locked memory was left for a secret.
  case secretMemory(SecureMemoryError)
}
