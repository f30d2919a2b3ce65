import WireCoding

/// Why the vault does not present the credential, while the session goes on for the reader.
public struct PresentationRefusal: Hashable, Sendable {
  /// The class of the reason.
  public var code: RPCErrorCode
  /// The reason in words.
  public var message: String

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - code: an application code, not one of JSON-RPC's own.
  ///   - message: the reason in words; the code's own when `nil`.
  public init(_ code: RPCErrorCode, message: String? = nil) {
    self.code = code
    self.message = message ?? code.defaultMessage
  }

  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("code")
    writer.string(code.name)
    writer.name("message")
    writer.string(message)
    writer.endObject()
  }
}
