public import WireCoding

/// The parameters of `namespace.revoke`: exactly one of `namespace` and `prefix`.
public struct NamespaceRevokeParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, prefix
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .optional(.namespace)
    case .prefix: .optional(.namespace)
    }
  }

  /// What a call revokes.
  public enum Target: Hashable, Sendable {
    /// One namespace.
    case namespace(NamespaceName)
    /// A name and every name below it, all or none.
    case prefix(NamespaceName)
  }

  /// What is revoked.
  public var target: Target

  /// Makes the parameters.
  ///
  /// - Parameter target: what is revoked.
  public init(_ target: Target) {
    self.target = target
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var target: Target?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: target = .namespace(try object.namespace(&reader))
      case .prefix: target = .prefix(try object.namespace(&reader))
      }
    }
    try object.exactlyOne(.namespace, .prefix)
    self.target = try object.required(target, .namespace)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    switch target {
    case .namespace(let name):
      writer.name("namespace")
      writer.string(name.rawValue)
    case .prefix(let name):
      writer.name("prefix")
      writer.string(name.rawValue)
    }
    writer.endObject()
  }
}
