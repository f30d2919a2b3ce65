public import WireCoding

/// The parameters of `key.public`: whose key to return, or make.
public struct KeyPublicParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, purpose
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .purpose: .optional(.choice(PublicKeyPurpose.allCases.map(\.rawValue)))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// What the key is for.
  public var purpose: PublicKeyPurpose

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - purpose: what the key is for.
  public init(namespace: NamespaceName, purpose: PublicKeyPurpose = .presentation) {
    self.namespace = namespace
    self.purpose = purpose
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var purpose: PublicKeyPurpose?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .purpose: purpose = try object.choice(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.purpose = purpose ?? .presentation
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("purpose")
    writer.string(purpose.rawValue)
    writer.endObject()
  }
}
