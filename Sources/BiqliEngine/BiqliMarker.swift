import VaultCrypto

/// What tells one installation from the next: a random value that the client keeps outside the vault,
/// where it vanishes with the app.
///
/// Only its digest is kept.
package struct BiqliMarker: Hashable, Sendable {
  /// How many octets the value may have.
  package static let counts = 16...64

  /// A BLAKE2b-256 over a label and the value.
  let digest: [UInt8]

  /// Takes the digest of a marker.
  ///
  /// - Parameters:
  ///   - octets: 16–64 octets.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``.
  package init(_ octets: [UInt8], field: String = "marker") throws(BiqliError) {
    guard Self.counts.contains(octets.count) else {
      throw .parameter(field, due: "16 to 64 octets")
    }
    digest = BLAKE2b.hash((Array("latchkey biqli marker".utf8) + octets).span)
  }

  /// Takes a stored digest; `nil` when it has another length.
  init?(digest: [UInt8]) {
    guard digest.count == 32 else { return nil }
    self.digest = digest
  }
}
