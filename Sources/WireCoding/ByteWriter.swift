/// Appends big-endian integers and octet strings to a growing buffer of public octets.
public struct ByteWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8]

  /// Starts with an empty buffer.
  ///
  /// - Parameter reservingCapacity: how many octets to make room for at once.
  public init(reservingCapacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(reservingCapacity)
  }

  /// How many octets were written.
  public var count: Int { bytes.count }

  /// Appends one octet.
  ///
  /// - Parameter value: the octet.
  public mutating func uint8(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends two octets, the most significant first.
  ///
  /// - Parameter value: their value.
  public mutating func uint16(_ value: UInt16) {
    append(UInt64(value), octets: 2)
  }

  /// Appends four octets, the most significant first.
  ///
  /// - Parameter value: their value.
  public mutating func uint32(_ value: UInt32) {
    append(UInt64(value), octets: 4)
  }

  /// Appends eight octets, the most significant first.
  ///
  /// - Parameter value: their value.
  public mutating func uint64(_ value: UInt64) {
    append(value, octets: 8)
  }

  /// Appends octets.
  ///
  /// - Parameter view: what to copy.
  public mutating func append(_ view: Span<UInt8>) {
    unsafe view.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends octets.
  ///
  /// - Parameter octets: what to copy.
  public mutating func append(_ octets: [UInt8]) {
    bytes.append(contentsOf: octets)
  }

  private mutating func append(_ value: UInt64, octets: Int) {
    for place in (0..<octets).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (UInt64(place) * 8)))
    }
  }
}
