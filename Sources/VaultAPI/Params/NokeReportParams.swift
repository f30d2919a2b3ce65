public import WireCoding

/// The parameters of `noke.report`: what a lock has answered to a packet.
public struct NokeReportParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, mac, session, response
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .mac: .required(.lockAddress)
    case .session: .required(.digits(20))
    case .response: .required(.digits(20))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The lock's address, 12 hexadecimal digits or six pairs of them with colons.
  public var mac: String
  /// What the lock has shown, 40 hexadecimal digits.
  public var session: String
  /// What it has answered, 40 hexadecimal digits.
  public var response: String

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - mac: the lock's address, 12 hexadecimal digits or six pairs of them with colons.
  ///   - session: what the lock has shown, 40 hexadecimal digits.
  ///   - response: what it has answered, 40 hexadecimal digits.
  public init(namespace: NamespaceName, mac: String, session: String, response: String) {
    self.namespace = namespace
    self.mac = mac
    self.session = session
    self.response = response
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var mac: String?
    var session: String?
    var response: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .mac: mac = try object.lockAddress(&reader)
      case .session: session = try object.digits(&reader)
      case .response: response = try object.digits(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.mac = try object.required(mac, .mac)
    self.session = try object.required(session, .session)
    self.response = try object.required(response, .response)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("mac")
    writer.string(mac)
    writer.name("session")
    writer.string(session)
    writer.name("response")
    writer.string(response)
    writer.endObject()
  }
}
