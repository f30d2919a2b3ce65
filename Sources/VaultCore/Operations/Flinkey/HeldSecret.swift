package import SecureMemory

/// A secret that several values share; it is wiped with the last of them.
package final class HeldSecret: Sendable {
  /// The secret.
  package let bytes: SecretBytes

  /// Takes a secret over.
  package init(_ bytes: consuming SecretBytes) {
    self.bytes = bytes
  }

  /// How many octets it has.
  var count: Int { bytes.count }
}

extension HeldSecret {
  /// Sees that it has a size, and for what goes into headers that each octet is a printable ASCII
  /// character other than the space (RFC 6750, section 2.1, takes fewer).
  ///
  /// - Throws: ``VaultError`` `invalid_params` with the field.
  func check(
    _ range: ClosedRange<Int>, isToken: Bool, _ field: String
  ) throws(VaultError) {
    guard range.contains(count) else {
      throw VaultError(
        .invalidParameters, "\(field) must have \(range.lowerBound) to \(range.upperBound) octets",
        field: field)
    }
    guard isToken else { return }
    let isPrintable = bytes.withBytes { octets in
      octets.indices.reduce(true) { $0 && (0x21...0x7E).contains(octets[$1]) }
    }
    guard isPrintable else {
      throw VaultError(
        .invalidParameters, "\(field) must be printable ASCII characters without spaces",
        field: field)
    }
  }
}
