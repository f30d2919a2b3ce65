import SecureMemory
import WireCoding

/// The values of members. Each reads the member that ``ObjectDecoder/next(_:)`` has found, with
/// the limits its table entry gives.
extension ObjectDecoder {
  func text(_ reader: inout JSONReader) throws(VaultAPIError) -> String {
    guard case .text(let range) = field.kind else { throw refused(at: reader.offset) }
    return try text(&reader, range)
  }

  func lines(_ reader: inout JSONReader) throws(VaultAPIError) -> String {
    let (token, place) = try string(&reader)
    guard case .lines(let range) = field.kind, range.contains(token.decodedCount) else {
      throw refused(at: place)
    }
    return reader.text(token)
  }

  func texts(_ reader: inout JSONReader) throws(VaultAPIError) -> [String] {
    guard case .array(.text(let range), _) = field.kind else { throw refused(at: reader.offset) }
    return try array(&reader) { reader throws(VaultAPIError) in
      do throws(VaultAPIError) {
        return try text(&reader, range)
      } catch {
        // The element is at fault, so its own path and rule are given.
        guard case .parameter(_, let fault, let place) = error else { throw error }
        guard case .mustBe = fault else { throw .parameter(path: "", fault, offset: place) }
        throw .parameter(path: "", .mustBe(FieldKind.text(range).rule), offset: place)
      }
    }
  }

  func boolean(_ reader: inout JSONReader) throws(VaultAPIError) -> Bool {
    try value(&reader) { reader throws(WireCodingError) in try reader.boolean() }
  }

  func integer(_ reader: inout JSONReader) throws(VaultAPIError) -> Int64 {
    guard case .integer(let range) = field.kind else { throw refused(at: reader.offset) }
    return try integer(&reader, range)
  }

  /// Reads an integer, or a string of its decimal digits without a sign or a zero in front.
  func integerOrText(_ reader: inout JSONReader) throws(VaultAPIError) -> Int64 {
    guard case .integerOrText(let range) = field.kind else { throw refused(at: reader.offset) }
    let kind = try value(&reader) { reader throws(WireCodingError) in try reader.peek() }
    guard kind == .string else { return try integer(&reader, range) }
    let (token, place) = try string(&reader)
    guard token.decodedCount <= 16, case let text = reader.text(token),
      let number = Int64(text), String(number) == text, range.contains(number)
    else { throw refused(at: place) }
    return number
  }

  func integers(_ reader: inout JSONReader) throws(VaultAPIError) -> [Int64] {
    guard case .array(.integer(let range), _) = field.kind else { throw refused(at: reader.offset) }
    return try array(&reader) { reader throws(VaultAPIError) in
      do throws(VaultAPIError) {
        return try integer(&reader, range)
      } catch {
        // The element is at fault, so its own path and rule are given.
        guard case .parameter(_, let fault, let place) = error else { throw error }
        guard case .mustBe = fault else { throw .parameter(path: "", fault, offset: place) }
        throw .parameter(path: "", .mustBe(FieldKind.integer(range).rule), offset: place)
      }
    }
  }

  func base64(_ reader: inout JSONReader) throws(VaultAPIError) -> [UInt8] {
    let (token, place) = try string(&reader)
    guard case .base64(let range, let multiple) = field.kind,
      // Too long is known before anything is decoded.
      token.decodedCount <= Base64.encodedCount(range.upperBound)
    else { throw refused(at: place) }
    let octets: [UInt8]
    do throws(WireCodingError) {
      octets = try reader.base64(token)
    } catch {
      throw refused(at: place)
    }
    guard range.contains(octets.count), octets.count % multiple == 0 else {
      throw refused(at: place)
    }
    return octets
  }

  func hex(_ reader: inout JSONReader) throws(VaultAPIError) -> [UInt8] {
    let (token, place) = try string(&reader)
    guard case .hex(let count) = field.kind, token.decodedCount == count * 2 else {
      throw refused(at: place)
    }
    do throws(WireCodingError) {
      return try Hex.decode(reader.text(token))
    } catch {
      throw refused(at: place)
    }
  }

  /// Digits of either case, as they came.
  func digits(_ reader: inout JSONReader) throws(VaultAPIError) -> String {
    let (token, place) = try string(&reader)
    guard case .digits(let count) = field.kind, token.decodedCount == count * 2 else {
      throw refused(at: place)
    }
    let text = reader.text(token)
    guard text.utf8.allSatisfy(Self.isDigit) else { throw refused(at: place) }
    return text
  }

  /// The address of a lock, as it came.
  func lockAddress(_ reader: inout JSONReader) throws(VaultAPIError) -> String {
    let (token, place) = try string(&reader)
    guard case .lockAddress = field.kind, [12, 17].contains(token.decodedCount) else {
      throw refused(at: place)
    }
    let text = reader.text(token)
    let hasColons = text.utf8.count == 17
    for (index, octet) in text.utf8.enumerated() {
      let isColon = hasColons && index % 3 == 2
      guard isColon ? octet == UInt8(ascii: ":") : Self.isDigit(octet) else {
        throw refused(at: place)
      }
    }
    return text
  }

  private static func isDigit(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  func choice<Choice: RawRepresentable<String>>(
    _ reader: inout JSONReader, _: Choice.Type = Choice.self
  ) throws(VaultAPIError) -> Choice {
    let place = reader.offset
    guard let choice = Choice(rawValue: try word(&reader)) else { throw refused(at: place) }
    return choice
  }

  func word(_ reader: inout JSONReader) throws(VaultAPIError) -> String {
    let (token, place) = try string(&reader)
    guard case .choice(let words) = field.kind, token.decodedCount <= 32 else {
      throw refused(at: place)
    }
    let word = reader.text(token)
    guard words.contains(word) else { throw refused(at: place) }
    return word
  }

  func timestamp(_ reader: inout JSONReader) throws(VaultAPIError) -> Timestamp {
    let (token, place) = try string(&reader)
    do throws(WireCodingError) {
      return try Timestamp(reader.text(token))
    } catch {
      throw refused(at: place)
    }
  }

  func namespace(_ reader: inout JSONReader) throws(VaultAPIError) -> NamespaceName {
    let (token, place) = try string(&reader)
    do throws(WireCodingError) {
      guard token.hasEscapes else { return try NamespaceName(reader.raw(token)) }
      return try NamespaceName(reader.text(token))
    } catch {
      throw refused(at: place)
    }
  }

  func namespacePrefix(_ reader: inout JSONReader) throws(VaultAPIError) -> NamespacePrefix {
    let (token, place) = try string(&reader)
    do throws(WireCodingError) {
      return try NamespacePrefix(reader.text(token))
    } catch {
      throw refused(at: place)
    }
  }

  func secretText(_ reader: inout JSONReader) throws(VaultAPIError) -> SecretBox {
    let (token, place) = try string(&reader)
    guard case .secretText(let range) = field.kind, range.contains(token.decodedCount) else {
      throw refused(at: place)
    }
    do throws(WireCodingError) {
      return SecretBox(try reader.secretText(token))
    } catch {
      throw VaultAPIError(error, path: field.name, offset: place, expected: field.kind)
    }
  }

  func secretBase64(_ reader: inout JSONReader) throws(VaultAPIError) -> SecretBox {
    let (token, place) = try string(&reader)
    guard case .secretBase64(let count) = field.kind,
      token.decodedCount == Base64.encodedCount(count)
    else { throw refused(at: place) }
    do throws(WireCodingError) {
      let secret = try reader.secretBase64(token)
      guard secret.count == count else { throw .invalidBase64(offset: place) }
      return SecretBox(secret)
    } catch {
      throw VaultAPIError(error, path: field.name, offset: place, expected: field.kind)
    }
  }

  func secretHex(_ reader: inout JSONReader) throws(VaultAPIError) -> SecretBox {
    let (token, place) = try string(&reader)
    guard case .secretHex(let count) = field.kind, token.decodedCount == count * 2 else {
      throw refused(at: place)
    }
    do throws(WireCodingError) {
      return SecretBox(try reader.secretHex(token))
    } catch {
      throw VaultAPIError(error, path: field.name, offset: place, expected: field.kind)
    }
  }

  /// Reads an object or element whose errors are told with this member's name in front.
  func nested<Value>(
    _ reader: inout JSONReader, _ body: (inout JSONReader) throws(VaultAPIError) -> Value
  ) throws(VaultAPIError) -> Value {
    do throws(VaultAPIError) {
      return try body(&reader)
    } catch {
      throw error.inside(field.name)
    }
  }

  /// Reads an array, with the bounds of its table entry, whose elements' errors name their index.
  func array<Element>(
    _ reader: inout JSONReader, _ element: (inout JSONReader) throws(VaultAPIError) -> Element
  ) throws(VaultAPIError) -> [Element] {
    guard case .array(_, let range) = field.kind else { throw refused(at: reader.offset) }
    let place = try value(&reader) { reader throws(WireCodingError) in
      _ = try reader.peek()
      let place = reader.offset
      try reader.beginArray()
      return place
    }
    var elements: [Element] = []
    while try value(&reader, { reader throws(WireCodingError) in try reader.nextElement() }) {
      guard elements.count < range.upperBound else { throw refused(at: place) }
      do throws(VaultAPIError) {
        elements.append(try element(&reader))
      } catch {
        throw error.inside("[\(elements.count)]").inside(field.name)
      }
    }
    guard range.contains(elements.count) else { throw refused(at: place) }
    return elements
  }

  private func text(
    _ reader: inout JSONReader, _ range: ClosedRange<Int>
  ) throws(VaultAPIError) -> String {
    let (token, place) = try string(&reader)
    guard range.contains(token.decodedCount) else { throw refused(at: place) }
    let text = reader.text(token)
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw refused(at: place) }
    return text
  }

  private func integer(
    _ reader: inout JSONReader, _ range: ClosedRange<Int64>
  ) throws(VaultAPIError) -> Int64 {
    let (number, place) = try value(&reader) { reader throws(WireCodingError) in
      _ = try reader.peek()
      let place = reader.offset
      return (try reader.integer(), place)
    }
    guard range.contains(number) else { throw refused(at: place) }
    return number
  }

  private func string(
    _ reader: inout JSONReader
  ) throws(VaultAPIError) -> (JSONString, Int) {
    let token = try value(&reader) { reader throws(WireCodingError) in try reader.stringToken() }
    return (token, token.start - 1)
  }

  /// Runs a step of the reader and tells its error with this member's name and rule.
  private func value<Value>(
    _ reader: inout JSONReader, _ body: (inout JSONReader) throws(WireCodingError) -> Value
  ) throws(VaultAPIError) -> Value {
    do throws(WireCodingError) {
      return try body(&reader)
    } catch {
      throw VaultAPIError(error, path: field.name, offset: reader.offset, expected: field.kind)
    }
  }
}
