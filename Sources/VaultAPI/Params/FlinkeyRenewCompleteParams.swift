public import WireCoding

/// The parameters of `flinkey.renew.complete`: exactly one of `token` and `failure`.
public struct FlinkeyRenewCompleteParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
    case environment
    case user
    case lease
    case token
    case expiresIn = "expires_in"
    case tapkeyUser = "tapkey_user"
    case failure
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .environment: .required(.choice(FlinkeyEnvironment.allCases.map(\.rawValue)))
    case .user: .required(.integer(VaultLimits.numbers))
    case .lease: .required(.base64(16...16))
    case .token: .optional(.secretText(VaultLimits.flinkeyTokenOctets))
    case .expiresIn: .optional(.integerOrText(VaultLimits.flinkeyLifetime))
    case .tapkeyUser: .optional(.text(1...64))
    case .failure: .optional(.object(FlinkeyStepFailure.table.fields))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// Which of the vendor's systems.
  public var environment: FlinkeyEnvironment
  /// The flinkey user ID.
  public var user: Int64
  /// What `flinkey.renew.begin` called the step.
  public var lease: [UInt8]
  /// The token that the step has brought.
  public var token: SecretBox?
  /// For how many seconds it lives, as the service has told; an IdToken tells it itself.
  public var expiresIn: Int64?
  /// The user that a Tapkey token is for, in Tapkey's words.
  public var tapkeyUser: String?
  /// Why there is no token.
  public var failure: FlinkeyStepFailure?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - environment: which of the vendor's systems.
  ///   - user: the flinkey user ID.
  ///   - lease: what `flinkey.renew.begin` called the step.
  ///   - token: the token that the step has brought.
  ///   - expiresIn: for how many seconds it lives, as the service has told; an IdToken tells it itself.
  ///   - tapkeyUser: the user that a Tapkey token is for, in Tapkey's words.
  ///   - failure: why there is no token.
  public init(
    namespace: NamespaceName, environment: FlinkeyEnvironment, user: Int64, lease: [UInt8],
    token: SecretBox? = nil, expiresIn: Int64? = nil, tapkeyUser: String? = nil,
    failure: FlinkeyStepFailure? = nil
  ) {
    self.namespace = namespace
    self.environment = environment
    self.user = user
    self.lease = lease
    self.token = token
    self.expiresIn = expiresIn
    self.tapkeyUser = tapkeyUser
    self.failure = failure
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var environment: FlinkeyEnvironment?
    var user: Int64?
    var lease: [UInt8]?
    var token: SecretBox?
    var expiresIn: Int64?
    var tapkeyUser: String?
    var failure: FlinkeyStepFailure?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .environment: environment = try object.choice(&reader)
      case .user: user = try object.integer(&reader)
      case .lease: lease = try object.base64(&reader)
      case .token: token = try object.secretText(&reader)
      case .expiresIn: expiresIn = try object.integerOrText(&reader)
      case .tapkeyUser: tapkeyUser = try object.text(&reader)
      case .failure: failure = try object.nested(&reader, FlinkeyStepFailure.init(from:))
      }
    }
    try object.exactlyOne(.token, .failure)
    if let failure { try object.refuse(.expiresIn, .tapkeyUser, with: .failure, failure.reason) }
    self.namespace = try object.required(namespace, .namespace)
    self.environment = try object.required(environment, .environment)
    self.user = try object.required(user, .user)
    self.lease = try object.required(lease, .lease)
    self.token = token
    self.expiresIn = expiresIn
    self.tapkeyUser = tapkeyUser
    self.failure = failure
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
    writer.name("lease")
    writer.base64(lease)
    if let token {
      writer.name("token")
      writer.string(secret: token.bytes)
    }
    writer.optional("expires_in", expiresIn)
    writer.optional("tapkey_user", tapkeyUser)
    if let failure {
      writer.name("failure")
      failure.encode(into: &writer)
    }
    writer.endObject()
  }
}
