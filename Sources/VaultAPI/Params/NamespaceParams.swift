public import WireCoding

/// The parameters of every method that takes a namespace and nothing else.
public struct NamespaceParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    }
  }

  /// The namespace.
  public var namespace: NamespaceName

  /// Makes the parameters.
  ///
  /// - Parameter namespace: the namespace.
  public init(namespace: NamespaceName) {
    self.namespace = namespace
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.endObject()
  }
}
