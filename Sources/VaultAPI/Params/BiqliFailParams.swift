public import WireCoding

/// The parameters of `biqli.fail`.
public struct BiqliFailParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, eventID = "event_id", status, code
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .eventID: .required(.text(VaultLimits.biqliEventID))
    case .status: .optional(.integer(VaultLimits.biqliStatuses))
    case .code: .optional(.text(VaultLimits.biqliCode))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The event that was sent.
  public var eventID: String
  /// The HTTP status of the refusal; absent when there was no answer, or none that could be read.
  public var status: Int64?
  /// The code of the error body: letters, digits, `_`, `.` or `-`.
  public var code: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - eventID: the event that was sent.
  ///   - status: the HTTP status of the refusal; absent when there was no answer, or none that
  ///     could be read.
  ///   - code: the code of the error body: letters, digits, `_`, `.` or `-`.
  public init(namespace: NamespaceName, eventID: String, status: Int64? = nil, code: String? = nil)
  {
    self.namespace = namespace
    self.eventID = eventID
    self.status = status
    self.code = code
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var eventID: String?
    var status: Int64?
    var code: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .eventID: eventID = try object.text(&reader)
      case .status: status = try object.integer(&reader)
      case .code: code = try object.text(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.eventID = try object.required(eventID, .eventID)
    self.status = status
    self.code = code
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
    writer.optional("status", status)
    writer.optional("code", code)
    writer.endObject()
  }
}
