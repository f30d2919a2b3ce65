/// Pulls values out of a JSON text one after another, in place and without an allocation a token.
///
/// It accepts a strict part of RFC 8259: UTF-8 without a byte order mark, integers within ±2^53
/// only, at most ``maximumDepth`` containers inside each other, no U+0000. Names are handed out as
/// they come; whoever reads an object refuses the second of two equal ones.
///
/// After an error the position is where the error is; a reader that is to go on is first moved with
/// ``move(to:)``.
public struct JSONReader: ~Copyable, ~Escapable {
  /// The most objects and arrays inside each other.
  public static let maximumDepth = 16

  let input: Span<UInt8>

  /// The position of the next octet.
  public internal(set) var offset = 0

  private(set) var depth = 0

  /// Whether the container that is open has had no member yet.
  private var isFirst = false

  /// Starts at the first octet.
  ///
  /// - Parameter input: the whole text; it is borrowed.
  @_lifetime(copy input)
  public init(_ input: Span<UInt8>) {
    self.input = input
  }

  /// Goes to a place remembered from ``offset``, where a value begins.
  ///
  /// - Parameter mark: the place and the containers open around it.
  public mutating func move(to mark: JSONMark) {
    offset = mark.offset
    depth = mark.depth
    isFirst = false
  }

  /// Where the reader stands.
  public var mark: JSONMark { JSONMark(offset: offset, depth: depth) }

  /// Tells the type of the value that comes next.
  ///
  /// - Returns: the type.
  /// - Throws: ``WireCodingError/json(_:offset:)`` when no value begins here.
  public mutating func peek() throws(WireCodingError) -> JSONType {
    switch try peekByte() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    default: throw fault(.unexpectedByte)
    }
  }

  /// Enters an object.
  ///
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func beginObject() throws(WireCodingError) {
    try begin(.object)
  }

  /// Reads the next member's name and its colon, or leaves the object.
  ///
  /// - Returns: the name, or `nil` after the closing brace.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func nextName() throws(WireCodingError) -> JSONString? {
    guard try isMemberNext(closing: UInt8(ascii: "}")) else { return nil }
    guard try peekByte() == UInt8(ascii: "\"") else { throw fault(.unexpectedByte) }
    let name = try stringToken()
    guard try peekByte() == UInt8(ascii: ":") else { throw fault(.unexpectedByte) }
    offset += 1
    return name
  }

  /// Enters an array.
  ///
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func beginArray() throws(WireCodingError) {
    try begin(.array)
  }

  /// Goes to the array's next element, or leaves the array.
  ///
  /// - Returns: whether there is one; `false` after the closing bracket.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func nextElement() throws(WireCodingError) -> Bool {
    try isMemberNext(closing: UInt8(ascii: "]"))
  }

  /// Reads `true` or `false`.
  ///
  /// - Returns: the value.
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func boolean() throws(WireCodingError) -> Bool {
    try expect(.boolean)
    let value = input[offset] == UInt8(ascii: "t")
    try literal(value ? "true" : "false")
    return value
  }

  /// Reads `null`.
  ///
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func null() throws(WireCodingError) {
    try expect(.null)
    try literal("null")
  }

  /// Checks that only white space is left.
  ///
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func finish() throws(WireCodingError) {
    skipSpace()
    guard offset == input.count else { throw fault(.trailingBytes) }
  }

  /// Reads the next value, whatever it is, and checks its syntax, but neither names for repetition
  /// nor numbers for their range.
  ///
  /// - Throws: ``WireCodingError/json(_:offset:)``.
  public mutating func skipValue() throws(WireCodingError) {
    // Recursion is bounded by the depth that `begin` refuses to exceed.
    switch try peek() {
    case .object:
      try beginObject()
      while try nextName() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try stringToken()
    case .number: try skipNumber()
    case .boolean: _ = try boolean()
    case .null: try null()
    }
  }

  /// Makes sure that a value of a type comes next.
  mutating func expect(_ type: JSONType) throws(WireCodingError) {
    let found = try peek()
    guard found == type else { throw fault(.wrongType(expected: type, found: found)) }
  }

  func fault(_ fault: JSONFault) -> WireCodingError {
    .json(fault, offset: offset)
  }

  /// The next octet that is not white space, left unread.
  mutating func peekByte() throws(WireCodingError) -> UInt8 {
    skipSpace()
    guard offset < input.count else { throw fault(.unexpectedEnd) }
    return input[offset]
  }

  private mutating func begin(_ type: JSONType) throws(WireCodingError) {
    try expect(type)
    guard depth < Self.maximumDepth else { throw fault(.tooDeep) }
    depth += 1
    offset += 1
    isFirst = true
  }

  private mutating func isMemberNext(closing: UInt8) throws(WireCodingError) -> Bool {
    let next = try peekByte()
    if next == closing {
      offset += 1
      depth -= 1
      isFirst = false
      return false
    }
    if isFirst {
      isFirst = false
      return true
    }
    guard next == UInt8(ascii: ",") else { throw fault(.unexpectedByte) }
    offset += 1
    // A comma promises a value: a closing bracket after it is refused by what reads next.
    _ = try peekByte()
    return true
  }

  private mutating func literal(_ text: StaticString) throws(WireCodingError) {
    let count = text.utf8CodeUnitCount
    for index in 0..<count {
      guard offset < input.count else { throw fault(.unexpectedEnd) }
      guard input[offset] == (unsafe text.utf8Start[index]) else { throw fault(.unexpectedByte) }
      offset += 1
    }
  }

  private mutating func skipSpace() {
    while offset < input.count {
      switch input[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }
}
