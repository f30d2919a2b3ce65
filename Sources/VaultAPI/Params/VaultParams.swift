import SecureMemory
public import WireCoding

/// The parameters of one method.
public protocol VaultParams: Sendable {
  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  init(from reader: inout JSONReader) throws(VaultAPIError)

  /// Writes the object.
  ///
  /// - Parameter writer: a ``SecretJSONWriter`` when a parameter is secret.
  func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer)
}

extension JSONWriting where Self: ~Copyable {
  /// Writes a member unless there is no value.
  mutating func optional(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    string(text)
  }

  /// Writes a member unless there is no value.
  mutating func optional(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    self.name(name)
    integer(number)
  }

  /// Writes a member whose value is a secret's octets as lower-case hexadecimal digits, by arithmetic
  /// and no table that would be indexed by them.
  mutating func member(_ name: StaticString, hex secret: borrowing SecretBytes) {
    self.name(name)
    append(UInt8(ascii: "\""))
    secret.withBytes { octets in
      for index in octets.indices {
        append(Hex.digit(octets[index] >> 4))
        append(Hex.digit(octets[index] & 15))
      }
    }
    append(UInt8(ascii: "\""))
    needsComma = true
  }
}
