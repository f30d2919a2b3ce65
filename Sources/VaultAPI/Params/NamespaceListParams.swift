public import WireCoding

/// The parameters of `namespace.list`: which page of names.
public struct NamespaceListParams: VaultParams {
  enum Member: String, MemberName {
    case prefix, after, limit
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .prefix: .optional(.namespacePrefix)
    case .after: .optional(.namespace)
    case .limit: .optional(.integer(1...VaultLimits.pageLimit))
    }
  }

  /// What the names begin with.
  public var prefix: NamespacePrefix?
  /// The last name of the page before.
  public var after: NamespaceName?
  /// The most names of the page.
  public var limit: Int64

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - prefix: what the names begin with.
  ///   - after: the last name of the page before.
  ///   - limit: the most names of the page.
  public init(
    prefix: NamespacePrefix? = nil, after: NamespaceName? = nil,
    limit: Int64 = VaultLimits.defaultPageLimit
  ) {
    self.prefix = prefix
    self.after = after
    self.limit = limit
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var prefix: NamespacePrefix?
    var after: NamespaceName?
    var limit: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .prefix: prefix = try object.namespacePrefix(&reader)
      case .after: after = try object.namespace(&reader)
      case .limit: limit = try object.integer(&reader)
      }
    }
    self.prefix = prefix
    self.after = after
    self.limit = limit ?? VaultLimits.defaultPageLimit
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    if let prefix {
      writer.name("prefix")
      writer.string(prefix.rawValue)
    }
    if let after {
      writer.name("after")
      writer.string(after.rawValue)
    }
    writer.name("limit")
    writer.integer(limit)
    writer.endObject()
  }
}
