package import SecureMemory

/// The receipt of an answer, wiped with the last who holds it: to be passed on in one answer, and kept
/// nowhere.
package final class BiqliReceipt: Sendable {
  /// The text, in UTF-8.
  package let bytes: SecretBytes

  init(_ bytes: consuming SecretBytes) {
    self.bytes = bytes
  }
}
