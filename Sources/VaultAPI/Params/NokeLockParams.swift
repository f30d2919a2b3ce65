public import WireCoding

/// The parameters of `noke.promote`, `noke.demote` and `noke.delete`: which lock.
public struct NokeLockParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, mac
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .mac: .required(.lockAddress)
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The lock's address, 12 hexadecimal digits or six pairs of them with colons.
  public var mac: String

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - mac: the lock's address, 12 hexadecimal digits or six pairs of them with colons.
  public init(namespace: NamespaceName, mac: String) {
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
    self.mac = try object.required(mac, .mac)
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
    writer.endObject()
  }
}
