/// Writes JSON into a growing buffer.
///
/// It is for public values: secrets go through
/// ``SecretJSONWriter``.
public struct JSONWriter: JSONWriting, Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8]

  /// Whether the next name or element follows another one.
  public var needsComma = false

  /// Starts with an empty buffer.
  ///
  /// - Parameter reservingCapacity: how many octets to make room for at once.
  public init(reservingCapacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(reservingCapacity)
  }

  /// Appends octets as they are.
  ///
  /// - Parameter octets: what to append.
  public mutating func append(_ octets: Span<UInt8>) {
    unsafe octets.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends one octet as it is.
  ///
  /// - Parameter octet: what to append.
  public mutating func append(_ octet: UInt8) {
    bytes.append(octet)
  }

  /// Appends the base64 of octets, without quotation marks.
  ///
  /// - Parameter octets: what to encode.
  public mutating func appendBase64(_ octets: Span<UInt8>) {
    Base64.append(octets, to: &bytes)
  }

  /// Writes octets as a string of lower-case hexadecimal digits.
  ///
  /// - Parameter octets: what to encode.
  public mutating func hex(_ octets: Span<UInt8>) {
    separate()
    append(UInt8(ascii: "\""))
    Hex.append(octets, to: &bytes)
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a time as an RFC 3339 string.
  ///
  /// - Parameter time: the time.
  public mutating func timestamp(_ time: Timestamp) {
    separate()
    append(UInt8(ascii: "\""))
    time.append(to: &bytes)
    append(UInt8(ascii: "\""))
    needsComma = true
  }
}
