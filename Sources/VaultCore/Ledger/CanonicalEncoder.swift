/// Writes fields so that no two different lists of fields give the same octets.
///
/// Integers are eight octets, big-endian; octet strings and text carry a four-octet length before
/// them; an optional field carries one octet, 0 or 1, before it. The first field names what the rest
/// is, so that a code made for one purpose is never valid for another.
package struct CanonicalEncoder: Sendable {
  /// What was written.
  package private(set) var bytes: [UInt8] = []

  /// Starts with the label of what follows.
  package init(_ label: StaticString, reservingCapacity: Int = 256) {
    bytes.reserveCapacity(reservingCapacity)
    length(label.utf8CodeUnitCount)
    label.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Continues what another encoder wrote.
  init(continuing bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Appends an integer.
  package mutating func integer(_ value: Int64) {
    var octets = value.bigEndian
    unsafe withUnsafeBytes(of: &octets) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends octets.
  package mutating func octets(_ value: [UInt8]) {
    length(value.count)
    bytes.append(contentsOf: value)
  }

  /// Appends octets, or that there are none.
  package mutating func optional(_ value: [UInt8]?) {
    bytes.append(value == nil ? 0 : 1)
    if let value { octets(value) }
  }

  /// Appends text as UTF-8.
  package mutating func text(_ value: String) {
    length(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func length(_ count: Int) {
    var octets = UInt32(clamping: count).bigEndian
    unsafe withUnsafeBytes(of: &octets) { unsafe bytes.append(contentsOf: $0) }
  }
}
