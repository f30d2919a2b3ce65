public import WireCoding

/// The parameters of `biqli.complete`.
public struct BiqliCompleteParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, eventID = "event_id", result
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .eventID: .required(.text(VaultLimits.biqliEventID))
    case .result: .required(.secretText(1...VaultLimits.biqliResultOctets))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The event that was answered.
  public var eventID: String
  /// The service's answer, JSON as it came.
  public var result: SecretBox

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - eventID: the event that was answered.
  ///   - result: the service's answer, JSON as it came.
  public init(namespace: NamespaceName, eventID: String, result: SecretBox) {
    self.namespace = namespace
    self.eventID = eventID
    self.result = result
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var eventID: String?
    var result: SecretBox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .eventID: eventID = try object.text(&reader)
      case .result: result = try object.secretText(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.eventID = try object.required(eventID, .eventID)
    self.result = try object.required(result, .result)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("event_id")
    writer.string(eventID)
    writer.name("result")
    writer.string(secret: result.bytes)
    writer.endObject()
  }
}
