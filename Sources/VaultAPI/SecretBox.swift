public import SecureMemory

/// A secret that came in with a request, shared by the copies of the request and wiped with the
/// last of them.
public final class SecretBox: Sendable {
  /// The secret.
  public let bytes: SecretBytes

  /// Takes the secret over.
  ///
  /// - Parameter bytes: the secret.
  public init(_ bytes: consuming SecretBytes) {
    self.bytes = bytes
  }
}
