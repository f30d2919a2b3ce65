public import WireCoding

/// The parameters of `noke.info`: which lock, or all of a namespace.
public struct NokeInfoParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, mac
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .mac: .optional(.lockAddress)
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The lock's address; without it, the locks of the namespace are listed.
  public var mac: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - mac: the lock's address; without it, the locks of the namespace are listed.
  public init(namespace: NamespaceName, mac: String? = nil) {
    self.namespace = namespace
    self.mac = mac
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var mac: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .mac: mac = try object.lockAddress(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.mac = mac
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.optional("mac", mac)
    writer.endObject()
  }
}
