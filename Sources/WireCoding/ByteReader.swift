/// Reads big-endian integers and octet strings in order, never past the end.
public struct ByteReader: ~Copyable, ~Escapable {
  private let input: Span<UInt8>

  /// How many octets were read.
  public private(set) var offset = 0

  /// Starts at the first octet.
  ///
  /// - Parameter input: what to read; it is borrowed.
  @_lifetime(copy input)
  public init(_ input: Span<UInt8>) {
    self.input = input
  }

  /// How many octets are left.
  public var remaining: Int { input.count - offset }

  /// Whether nothing is left.
  public var isAtEnd: Bool { remaining == 0 }

  /// Reads one octet.
  ///
  /// - Returns: its value.
  /// - Throws: ``WireCodingError/truncated(offset:)``.
  public mutating func uint8() throws(WireCodingError) -> UInt8 {
    UInt8(truncatingIfNeeded: try integer(octets: 1))
  }

  /// Reads two octets, the most significant first.
  ///
  /// - Returns: their value.
  /// - Throws: ``WireCodingError/truncated(offset:)``.
  public mutating func uint16() throws(WireCodingError) -> UInt16 {
    UInt16(truncatingIfNeeded: try integer(octets: 2))
  }

  /// Reads four octets, the most significant first.
  ///
  /// - Returns: their value.
  /// - Throws: ``WireCodingError/truncated(offset:)``.
  public mutating func uint32() throws(WireCodingError) -> UInt32 {
    UInt32(truncatingIfNeeded: try integer(octets: 4))
  }

  /// Reads eight octets, the most significant first.
  ///
  /// - Returns: their value.
  /// - Throws: ``WireCodingError/truncated(offset:)``.
  public mutating func uint64() throws(WireCodingError) -> UInt64 {
    try integer(octets: 8)
  }

  /// Reads octets into an array of their own.
  ///
  /// - Parameter count: how many.
  /// - Returns: a copy.
  /// - Throws: ``WireCodingError/truncated(offset:)``, also for a negative count.
  public mutating func bytes(_ count: Int) throws(WireCodingError) -> [UInt8] {
    let view = try span(count)
    return unsafe view.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Reads octets without copying them.
  ///
  /// - Parameter count: how many.
  /// - Returns: a view into the input.
  /// - Throws: ``WireCodingError/truncated(offset:)``, also for a negative count.
  @_lifetime(copy self)
  public mutating func span(_ count: Int) throws(WireCodingError) -> Span<UInt8> {
    try require(count)
    let view = input.extracting(offset..<offset + count)
    offset += count
    return view
  }

  /// Passes over octets.
  ///
  /// - Parameter count: how many.
  /// - Throws: ``WireCodingError/truncated(offset:)``, also for a negative count.
  public mutating func skip(_ count: Int) throws(WireCodingError) {
    try require(count)
    offset += count
  }

  /// Checks that everything was read.
  ///
  /// - Throws: ``WireCodingError/trailingBytes(offset:)``.
  public func finish() throws(WireCodingError) {
    guard isAtEnd else { throw .trailingBytes(offset: offset) }
  }

  private func require(_ count: Int) throws(WireCodingError) {
    guard count >= 0, count <= remaining else { throw .truncated(offset: offset) }
  }

  private mutating func integer(octets: Int) throws(WireCodingError) -> UInt64 {
    try require(octets)
    var value: UInt64 = 0
    for _ in 0..<octets {
      value = value << 8 | UInt64(input[offset])
      offset += 1
    }
    return value
  }
}
