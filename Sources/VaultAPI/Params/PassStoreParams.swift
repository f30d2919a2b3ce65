public import WireCoding

/// The parameters of `pass.store`: whose pass, and the pass.
public struct PassStoreParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, pass
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .pass: .required(.object(PassContent.table.fields))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The pass.
  public var pass: PassContent

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - pass: the pass.
  public init(namespace: NamespaceName, pass: PassContent) {
    self.namespace = namespace
    self.pass = pass
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var pass: PassContent?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .pass: pass = try object.nested(&reader, PassContent.init(from:))
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.pass = try object.required(pass, .pass)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("pass")
    pass.encode(into: &writer)
    writer.endObject()
  }
}
