public import WireCoding

/// The parameters of `biqli.drop`.
public struct BiqliDropParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, eventID = "event_id"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .eventID: .required(.text(VaultLimits.biqliEventID))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The event it tells of.
  public var eventID: String

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - eventID: the event it tells of.
  public init(namespace: NamespaceName, eventID: String) {
    self.namespace = namespace
    self.eventID = eventID
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var eventID: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .eventID: eventID = try object.text(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.eventID = try object.required(eventID, .eventID)
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
    writer.endObject()
  }
}
