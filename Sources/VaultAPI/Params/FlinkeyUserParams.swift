public import WireCoding

/// The parameters of the methods about one flinkey user.
public struct FlinkeyUserParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
    case environment
    case user
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .environment: .required(.choice(FlinkeyEnvironment.allCases.map(\.rawValue)))
    case .user: .required(.integer(VaultLimits.numbers))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// Which of the vendor's systems.
  public var environment: FlinkeyEnvironment
  /// The flinkey user ID.
  public var user: Int64

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - environment: which of the vendor's systems.
  ///   - user: the flinkey user ID.
  public init(
    namespace: NamespaceName, environment: FlinkeyEnvironment, user: Int64
  ) {
    self.namespace = namespace
    self.environment = environment
    self.user = user
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var environment: FlinkeyEnvironment?
    var user: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .environment: environment = try object.choice(&reader)
      case .user: user = try object.integer(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.environment = try object.required(environment, .environment)
    self.user = try object.required(user, .user)
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
    writer.name("user")
    writer.integer(user)
    writer.endObject()
  }
}
