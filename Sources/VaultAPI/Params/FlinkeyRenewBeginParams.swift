public import WireCoding

/// The parameters of `flinkey.renew.begin`.
public struct FlinkeyRenewBeginParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
    case environment
    case user
    case minRemaining = "min_remaining"
    case leaseSeconds = "lease_seconds"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .environment: .required(.choice(FlinkeyEnvironment.allCases.map(\.rawValue)))
    case .user: .required(.integer(VaultLimits.numbers))
    case .minRemaining: .optional(.integer(VaultLimits.flinkeyRemaining))
    case .leaseSeconds: .optional(.integer(VaultLimits.flinkeyLease))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// Which of the vendor's systems.
  public var environment: FlinkeyEnvironment
  /// The flinkey user ID.
  public var user: Int64
  /// For how many seconds the Tapkey token must still live; 60 unless given.
  public var minRemaining: Int64?
  /// For how many seconds the step is the caller's; 60 unless given.
  public var leaseSeconds: Int64?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - environment: which of the vendor's systems.
  ///   - user: the flinkey user ID.
  ///   - minRemaining: for how many seconds the Tapkey token must still live; 60 unless given.
  ///   - leaseSeconds: for how many seconds the step is the caller's; 60 unless given.
  public init(
    namespace: NamespaceName, environment: FlinkeyEnvironment, user: Int64,
    minRemaining: Int64? = nil, leaseSeconds: Int64? = nil
  ) {
    self.namespace = namespace
    self.environment = environment
    self.user = user
    self.minRemaining = minRemaining
    self.leaseSeconds = leaseSeconds
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var environment: FlinkeyEnvironment?
    var user: Int64?
    var minRemaining: Int64?
    var leaseSeconds: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .environment: environment = try object.choice(&reader)
      case .user: user = try object.integer(&reader)
      case .minRemaining: minRemaining = try object.integer(&reader)
      case .leaseSeconds: leaseSeconds = try object.integer(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.environment = try object.required(environment, .environment)
    self.user = try object.required(user, .user)
    self.minRemaining = minRemaining
    self.leaseSeconds = leaseSeconds
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
    writer.optional("min_remaining", minRemaining)
    writer.optional("lease_seconds", leaseSeconds)
    writer.endObject()
  }
}
