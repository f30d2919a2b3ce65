public import WireCoding

/// The parameters of `flinkey.store`: exactly one of `credentials` and `box`.
public struct FlinkeyStoreParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
    case environment
    case credentials
    case box
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .environment: .required(.choice(FlinkeyEnvironment.allCases.map(\.rawValue)))
    case .credentials: .optional(.object(FlinkeyPortalCredentials.table.fields))
    case .box: .optional(.object(FlinkeyUserBox.table.fields))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// Which of the vendor's systems.
  public var environment: FlinkeyEnvironment
  /// Credentials, in the place of earlier ones.
  public var credentials: FlinkeyPortalCredentials?
  /// The box of a user.
  public var box: FlinkeyUserBox?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - environment: which of the vendor's systems.
  ///   - credentials: credentials, in the place of earlier ones.
  ///   - box: the box of a user.
  public init(
    namespace: NamespaceName, environment: FlinkeyEnvironment,
    credentials: FlinkeyPortalCredentials? = nil, box: FlinkeyUserBox? = nil
  ) {
    self.namespace = namespace
    self.environment = environment
    self.credentials = credentials
    self.box = box
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var environment: FlinkeyEnvironment?
    var credentials: FlinkeyPortalCredentials?
    var box: FlinkeyUserBox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .environment: environment = try object.choice(&reader)
      case .credentials:
        credentials = try object.nested(&reader, FlinkeyPortalCredentials.init(from:))
      case .box: box = try object.nested(&reader, FlinkeyUserBox.init(from:))
      }
    }
    try object.exactlyOne(.credentials, .box)
    self.namespace = try object.required(namespace, .namespace)
    self.environment = try object.required(environment, .environment)
    self.credentials = credentials
    self.box = box
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("environment")
    writer.string(environment.rawValue)
    if let credentials {
      writer.name("credentials")
      credentials.encode(into: &writer)
    }
    if let box {
      writer.name("box")
      box.encode(into: &writer)
    }
    writer.endObject()
  }
}
