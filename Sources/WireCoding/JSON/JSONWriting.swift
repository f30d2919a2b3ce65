public import SecureMemory

/// Writes JSON without spaces; the two writers differ in where the octets go.
///
/// Whoever writes keeps objects and arrays balanced; commas come by themselves.
public protocol JSONWriting: ~Copyable {
  /// Whether the next name or element follows another one.
  var needsComma: Bool { get set }

  /// Appends octets as they are.
  ///
  /// - Parameter octets: what to append.
  mutating func append(_ octets: Span<UInt8>)

  /// Appends one octet as it is.
  ///
  /// - Parameter octet: what to append.
  mutating func append(_ octet: UInt8)

  /// Appends the base64 of octets, without quotation marks.
  ///
  /// - Parameter octets: what to encode.
  mutating func appendBase64(_ octets: Span<UInt8>)
}

extension JSONWriting where Self: ~Copyable {
  /// Opens an object.
  @inlinable
  public mutating func beginObject() {
    separate()
    append(UInt8(ascii: "{"))
    needsComma = false
  }

  /// Closes an object.
  @inlinable
  public mutating func endObject() {
    append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// Opens an array.
  @inlinable
  public mutating func beginArray() {
    separate()
    append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Closes an array.
  @inlinable
  public mutating func endArray() {
    append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Writes a member's name and its colon.
  ///
  /// - Parameter name: ASCII without anything to escape.
  @inlinable
  public mutating func name(_ name: StaticString) {
    separate()
    append(UInt8(ascii: "\""))
    let octets = unsafe Span(_unsafeStart: name.utf8Start, count: name.utf8CodeUnitCount)
    append(octets)
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member's name and its colon, escaped where JSON asks for it.
  ///
  /// - Parameter name: any characters.
  @inlinable
  public mutating func name(text name: String) {
    string(name)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a value that is JSON already.
  ///
  /// - Parameter value: its text.
  @inlinable
  public mutating func json(_ value: Span<UInt8>) {
    separate()
    append(value)
    needsComma = true
  }

  /// Writes a string that is not secret.
  ///
  /// - Parameter text: its characters.
  @inlinable
  public mutating func string(_ text: String) {
    string(utf8: text.utf8.span)
  }

  /// Writes a string given as UTF-8 octets, escaped where JSON asks for it.
  ///
  /// - Parameter octets: valid UTF-8.
  @inlinable
  public mutating func string(utf8 octets: Span<UInt8>) {
    separate()
    append(UInt8(ascii: "\""))
    appendEscaped(octets)
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes octets as a base64 string.
  ///
  /// - Parameter octets: what to encode.
  @inlinable
  public mutating func base64(_ octets: Span<UInt8>) {
    separate()
    append(UInt8(ascii: "\""))
    appendBase64(octets)
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes octets as a base64 string.
  ///
  /// - Parameter octets: what to encode.
  @inlinable
  public mutating func base64(_ octets: [UInt8]) {
    base64(octets.span)
  }

  /// Writes an integer.
  ///
  /// - Parameter value: within ±2^53, for every reader to agree on it.
  @inlinable
  public mutating func integer(_ value: Int64) {
    separate()
    appendDecimal(value)
    needsComma = true
  }

  /// Writes `true` or `false`.
  ///
  /// - Parameter value: which of them.
  @inlinable
  public mutating func boolean(_ value: Bool) {
    literal(value ? "true" : "false")
  }

  /// Writes `null`.
  @inlinable
  public mutating func null() {
    literal("null")
  }

  /// Writes a secret's octets as a string, escaped where JSON asks for it.
  ///
  /// - Parameter secret: valid UTF-8.
  @inlinable
  public mutating func string(secret: borrowing SecretBytes) {
    separate()
    append(UInt8(ascii: "\""))
    secret.withBytes { octets in appendEscaped(octets) }
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a secret's octets as a base64 string.
  ///
  /// - Parameter secret: what to encode.
  @inlinable
  public mutating func base64(secret: borrowing SecretBytes) {
    secret.withBytes { octets in base64(octets) }
  }

  @inlinable
  mutating func separate() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  @inlinable
  mutating func literal(_ text: StaticString) {
    separate()
    let octets = unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount)
    append(octets)
    needsComma = true
  }

  /// Appends a string's octets, in runs between the characters that need an escape.
  @inlinable
  mutating func appendEscaped(_ octets: Span<UInt8>) {
    var start = 0
    for index in octets.indices {
      let octet = octets[index]
      guard octet < 0x20 || octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\") else {
        continue
      }
      append(octets.extracting(start..<index))
      appendEscape(octet)
      start = index + 1
    }
    append(octets.extracting(start..<octets.count))
  }

  @usableFromInline
  mutating func appendEscape(_ octet: UInt8) {
    append(UInt8(ascii: "\\"))
    switch octet {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      for character in [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")] {
        append(character)
      }
      append(Hex.digit(octet >> 4))
      append(Hex.digit(octet & 15))
    default: append(octet)
    }
  }

  @usableFromInline
  mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var digits: InlineArray<20, UInt8> = .init(repeating: 0)
    var first = 20
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    for index in first..<20 { append(digits[index]) }
  }
}
