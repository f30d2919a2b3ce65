import AliroEngine

/// CBOR to be written, as an expression.
enum CBORValue {
  case number(Int)
  case bytes([UInt8])
  case text(String)
  case flag(Bool)
  case array([CBORValue])
  /// Keys and values in their order, which signatures and digests cover.
  case map([(CBORValue, CBORValue)])
  indirect case tagged(UInt64, CBORValue)

  /// `#6.24(bstr)` over the encoding of a value.
  static func wrapped(_ value: CBORValue) -> CBORValue { .tagged(24, .bytes(value.encoded)) }

  /// The octets, in canonical form.
  var encoded: [UInt8] {
    var writer = CBORWriter()
    write(to: &writer)
    return writer.encoded
  }

  private func write(to writer: inout CBORWriter) {
    switch self {
    case .number(let number) where number < 0: writer.negative(UInt64(-1 - number))
    case .number(let number): writer.unsigned(UInt64(number))
    case .bytes(let octets): writer.bytes(octets)
    case .text(let text): writer.text(text)
    case .flag(let flag): writer.boolean(flag)
    case .array(let values):
      writer.array(values.count)
      for value in values { value.write(to: &writer) }
    case .map(let pairs):
      writer.map(pairs.count)
      for (key, value) in pairs {
        key.write(to: &writer)
        value.write(to: &writer)
      }
    case .tagged(let number, let value):
      writer.tag(number)
      value.write(to: &writer)
    }
  }
}

extension CBORValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .text(text) }
  init(integerLiteral number: Int) { self = .number(number) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }
  init(arrayLiteral values: CBORValue...) { self = .array(values) }
  init(dictionaryLiteral pairs: (CBORValue, CBORValue)...) { self = .map(pairs) }
}
