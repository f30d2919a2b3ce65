import CCBOR

/// Writes CBOR in canonical form: definite lengths, every head in its shortest form.
///
/// libcbor writes the heads; the caller sees to it that counts are true.
package struct CBORWriter {
  /// What has been written so far.
  package private(set) var encoded: [UInt8] = []

  /// Makes a writer that has written nothing.
  package init() {}

  package mutating func unsigned(_ value: UInt64) {
    unsafe append { unsafe cbor_encode_uint(value, $0, $1) }
  }

  /// Writes the number −1 − `value`.
  package mutating func negative(_ value: UInt64) {
    unsafe append { unsafe cbor_encode_negint(value, $0, $1) }
  }

  package mutating func boolean(_ value: Bool) {
    unsafe append { unsafe cbor_encode_bool(value, $0, $1) }
  }

  package mutating func bytes(_ value: [UInt8]) {
    unsafe append { unsafe cbor_encode_bytestring_start(value.count, $0, $1) }
    encoded += value
  }

  package mutating func text(_ value: String) {
    let octets = Array(value.utf8)
    unsafe append { unsafe cbor_encode_string_start(octets.count, $0, $1) }
    encoded += octets
  }

  /// Begins an array of so many items.
  package mutating func array(_ count: Int) {
    unsafe append { unsafe cbor_encode_array_start(count, $0, $1) }
  }

  /// Begins a map of so many pairs.
  package mutating func map(_ count: Int) {
    unsafe append { unsafe cbor_encode_map_start(count, $0, $1) }
  }

  /// Tags the item that comes next.
  package mutating func tag(_ number: UInt64) {
    unsafe append { unsafe cbor_encode_tag(number, $0, $1) }
  }

  /// Appends an item that is encoded already, octet for octet.
  package mutating func item(_ octets: some Sequence<UInt8>) {
    encoded.append(contentsOf: octets)
  }

  /// Appends the head that an encoder of libcbor writes: nine octets at most.
  private mutating func append(_ encode: (UnsafeMutablePointer<UInt8>, Int) -> Int) {
    var head = [UInt8](repeating: 0, count: 9)
    let count = unsafe head.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe encode(base, buffer.count)
    }
    encoded += head.prefix(count)
  }
}
