import WireCoding

/// One thing a step of a presentation has shown.
public struct PresentationEvent: Hashable, Sendable {
  /// What it is.
  public var event: PresentationEventName
  /// More about it in plain words of the vault, such as `unsecured`.
  public var detail: String?

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - event: what it is.
  ///   - detail: more about it, in the vault's own words.
  public init(_ event: PresentationEventName, detail: String? = nil) {
    self.event = event
    self.detail = detail
  }

  func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("event")
    writer.string(event.rawValue)
    writer.optional("detail", detail)
    writer.endObject()
  }
}
