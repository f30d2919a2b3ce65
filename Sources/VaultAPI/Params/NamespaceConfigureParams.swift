public import WireCoding

/// The parameters of `namespace.configure`: what an admin allows in a namespace.
public struct NamespaceConfigureParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, userConfirmation = "user_confirmation"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .userConfirmation: .required(.boolean)
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// Whether a presentation may be opened with `user_confirmed`.
  public var userConfirmation: Bool

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - userConfirmation: whether a presentation may be opened with `user_confirmed`.
  public init(namespace: NamespaceName, userConfirmation: Bool) {
    self.namespace = namespace
    self.userConfirmation = userConfirmation
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var userConfirmation: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .userConfirmation: userConfirmation = try object.boolean(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.userConfirmation = try object.required(userConfirmation, .userConfirmation)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("user_confirmation")
    writer.boolean(userConfirmation)
    writer.endObject()
  }
}
